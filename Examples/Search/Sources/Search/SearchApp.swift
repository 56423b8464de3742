import SharingPage

/// Finds words while the user types.
@main
struct SearchApp: PageApp {
  /// The search text, for the lifetime of the tab.
  @Shared(.sessionStorage("text")) var text: UTF8Text = ""
  @SharedReader(.search("")) var words: [Word] = []

  func start(on page: Page) {
    page.bind("text", to: $text)
    page.observe { $words.load(.search(text)) }
    page.bind("words") { words }
    page.bind("progress") { progress }
    page.bind("no-failure") { $words.loadError == nil || $words.isLoading }
    page.bindErrors(of: $words)
    page.on("retry") { $words.load() }
  }

  private var progress: UTF8Text {
    if $words.isLoading { return "Searching…" }
    if text.isEmpty || $words.loadError != nil { return "" }
    return words.count == 1 ? "1 word" : "\(words.count) words"
  }
}
