import SharingPage

/// One number, shared by every part of the program, by every tab, and by the store behind it.
struct Counter {
  @Shared(.localStorage("count")) var count = 0

  /// Shows the number and adds the actions that change it.
  func start(on page: Page) {
    page.bind("count") { "\(count)" }
    page.on("increment") { $count.update { $0 += 1 } }
    page.on("decrement") { $count.update { $0 -= 1 } }
    page.on("reset") { $count.withLock { $0 = 0 } }
    page.bindErrors(of: $count)
  }
}
