import SharingCore
import SharingPage

/// A page for tests: records the shown state, and runs actions.
///
/// ```swift
/// let recorder = PageRecorder()
/// Counter().start(on: recorder.page)
/// try recorder.page.perform("increment")
/// #expect(recorder["count"] == "1")
/// ```
public final class PageRecorder {
  /// The page.
  public let page: Page
  private let recorded = Recorded()

  /// Creates a page that shows nothing yet.
  public init() {
    page = Page(to: .recorder({ [recorded] in recorded.set($0, $1) }))
  }

  deinit {
    page.stop()
  }

  /// The last value set under a name: a text, or the JSON of rows; nil if nothing was set.
  public subscript(name: UTF8Text) -> UTF8Text? {
    recorded.texts.last { $0.name == name }?.text
  }

  /// All values that were set, the oldest first.
  package var all: [(name: UTF8Text, text: UTF8Text)] { recorded.texts }
}

private final class Recorded {
  var texts: [(name: UTF8Text, text: UTF8Text)] = []

  func set(_ name: StaticString, _ text: [UInt8]) {
    texts.append(("\(name)", UTF8Text(text)))
  }
}
