import SharingPage

/// A count in a revision store; `page/commits.js` increments it and checks the shown value.
struct Tally {
  @Shared(.indexedDB("tally")) private var count = 0

  /// Shows the count, and whether it is being saved.
  func show(on page: Page) {
    page.bind("tally") { "\(count)" }
    page.bind("tally-saving") { $count.isSaving }
  }

  /// Adds one.
  func add() {
    $count.update { $0 += 1 }
  }
}

nonisolated(unsafe) private var tally: Tally?

/// Shows the tally.
@_expose(wasm, "bench_tally_show")
@c(bench_tally_show)
public func showTally() {
  guard tally == nil, let page = WasmBenchmarks.page else { return }
  tally = Tally()
  tally?.show(on: page)
}

/// Adds one to the tally.
@_expose(wasm, "bench_tally_add")
@c(bench_tally_add)
public func addToTally() {
  tally?.add()
}
