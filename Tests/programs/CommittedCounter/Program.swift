import SharingPage

/// A counter that loses nothing, for `./build.sh size`.
@main
struct Counter: PageApp {
  @Shared(.indexedDB("count")) var count = 0

  func start(on page: Page) {
    page.bind("count") { "\(count)" }
    page.bind("saving") { $count.isSaving ? "Saving…" : "" }
    page.on("increment") { $count.update { $0 += 1 } }
    page.on("decrement") { $count.update { $0 -= 1 } }
    page.on("reset") { $count.withLock { $0 = 0 } }
    page.bindErrors(of: $count)
  }
}
