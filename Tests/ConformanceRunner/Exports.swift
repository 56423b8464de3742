import CHost
import Conformance
import SharingCore
import WasiStorage

// The program in a page: what the page calls.

/// Runs every case over the page's `localStorage`; or takes twenty walks there, from the seed that is
/// in the address, as in `#17000`.
@_expose(wasm, "sharing_start")
@c(sharing_start)
public func start() {
  let host = Host.localStorage {
    _ = sharing_page_set(emptying.utf8Start, Int32(emptying.utf8CodeUnitCount), nil, 0)
  }
  let fragment = try? SharingEnvironment().stores.location.bytes(for: KeyName(bytes: []))
  guard let seed = fragment, !seed.isEmpty else {
    Runner.run(on: [host])
    return
  }
  let first = Walking.number(seed)
  Walking.take(from: first, to: first + 19, on: host)
}

/// What the page is told before a case.
private let emptying: StaticString = "empty"
