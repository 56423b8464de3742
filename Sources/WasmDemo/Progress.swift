import SharingCore
import WasiStorage

/// How far one has come. It knows nothing of the list: it names the same key, and so has the same
/// todos.
struct Progress {
  @Shared(.localStorage("todos-sharing")) private var todos: [Todo] = []
  @SharedReader private var totals: Totals

  init() {
    _totals = _todos.read { Totals(of: $0) }
  }

  /// Shows it, now and whenever it changes.
  func show(on page: Page) -> ObservationToken {
    observe {
      let totals = totals
      page.set("progress", totals.count == 0 ? "" : "\(totals.completed) of \(totals.count) done")
      page.bind("badge", totals.left == 0 ? "All done" : "\(totals.left) to do")
      page.bind("ring", "\(100 * totals.completed / max(1, totals.count)) 100")
    }
  }
}
