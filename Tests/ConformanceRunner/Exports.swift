import CHost
import Conformance
import SharingCore

// The program in a page: what the page calls.

/// Runs every case over the page's `localStorage`.
@_expose(wasm, "sharing_start")
@c(sharing_start)
public func start() {
  Runner.run(on: [
    .localStorage {
      _ = sharing_page_set(emptying.utf8Start, Int32(emptying.utf8CodeUnitCount), nil, 0)
    }
  ])
}

/// What the page is told before a case.
private let emptying: StaticString = "empty"
