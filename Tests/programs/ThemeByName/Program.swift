import SharingPage

/// A program with one enum under two keys, for `./build.sh size`.
@main
struct Program: PageApp {
  @Shared(.localStorage("theme")) var theme = Theme.light
  @Shared(.appStorage("last")) var last: Theme?

  func start(on page: Page) {
    page.bind("dark") { theme == .dark }
    page.on("change") {
      $last.withLock { $0 = theme }
      $theme.withLock { $0 = $0 == .dark ? .light : .dark }
    }
  }
}
