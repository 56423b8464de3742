import SharingPage

@main
struct App: PageApp {
  @Shared(.localStorage("count")) var count = 0

  func start(on page: Page) {
    page.bind("count") { "\(count)" }
    page.on("increment") { $count.update { $0 += 1 } }
    page.bindErrors(of: $count)
  }
}
