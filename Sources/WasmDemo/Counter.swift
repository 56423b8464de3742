import SharingCore
import WasiStorage

/// One number, shared by every part of the program, by every tab, and by the store behind it.
struct Counter {
  @Shared(.localStorage("count")) var count = 0

  /// What a person can do: click in the page, or say on the command line.
  var actions: [Action] {
    [
      Action("increment") { $count.withLock { $0 += 1 } },
      Action("decrement") { $count.withLock { $0 -= 1 } },
      Action("reset") { $count.withLock { $0 = 0 } },
    ]
  }

  /// Shows the number, now and whenever it changes.
  func show(on page: Page) -> ObservationToken {
    observe { page.set("count", "\(count)") }
  }
}
