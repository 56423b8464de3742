import CHost
import SharingCore

/// Where the program shows its state: the page's bindings in a browser, lines of text elsewhere.
enum Page {
  case browser
  case terminal

  /// Whether all that a terminal should show was written: nobody may read it, or the disk be full.
  nonisolated(unsafe) private(set) static var isComplete = true

  /// Shows a text under a name: where the page binds it, or as `name: text`.
  func set(_ name: StaticString, _ text: UTF8Text) {
    switch self {
    case .browser: bind(name, text)
    case .terminal: if !text.isEmpty { writeLine("\(name): \(text)", to: 1) }
    }
  }

  /// Shows what is wrong; an empty text says that nothing is.
  func warn(_ message: UTF8Text) {
    switch self {
    case .browser: bind("notice", message)
    case .terminal: if !message.isEmpty { writeLine(message, to: 2) }
    }
  }

  /// Shows a text under a name, which says more than a terminal needs to.
  func bind(_ name: StaticString, _ text: UTF8Text) {
    guard self == .browser else { return }
    let text = text.bytes
    _ = sharing_page_set(name.utf8Start, Int32(name.utf8CodeUnitCount), text, Int32(text.count))
  }

  /// Shows under a name whether something is so: as "true", or as an empty text.
  func mark(_ name: StaticString, _ isSo: Bool) {
    bind(name, isSo ? "true" : "")
  }

  private func writeLine(_ line: UTF8Text, to stream: Int32) {
    let line: UTF8Text = "\(line)\n"
    if sharing_stream_write(stream, line.bytes, Int32(line.bytes.count)) < 0 {
      Self.isComplete = false
    }
  }
}
