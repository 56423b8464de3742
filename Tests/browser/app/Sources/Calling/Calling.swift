import Mine
import SharingPage

/// Shows the result of a function of its page, and a count without lost updates.
@main
struct Calling: PageApp {
  @Shared(value: 0) var answer
  @Shared(.indexedDB("tally")) var tally = 0

  func start(on page: Page) {
    page.bind("answer") { "\(answer)" }
    page.bind("tally") { "\(tally)" }
    page.bindErrors(of: $tally)
    page.on("add") { $tally.update { $0 += 1 } }
    page.on("call") { $answer.withLock { $0 = Int(mine_count(1)) } }
    page.on("misuse") { $answer.withLock { $0 = Int(mine_count(-1)) } }
    page.on("confuse") { page.set("mistake", true) }
  }
}
