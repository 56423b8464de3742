import Mine
import SharingPage

/// Shows what a function of its page answers.
@main
struct Calling: PageApp {
  @Shared(value: 0) var answer

  func start(on page: Page) {
    page.bind("answer") { "\(answer)" }
    page.on("call") { $answer.withLock { $0 = Int(mine_count(1)) } }
    page.on("misuse") { $answer.withLock { $0 = Int(mine_count(-1)) } }
    page.on("confuse") { page.set("mistake", true) }
  }
}
