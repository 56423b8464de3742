import CHost
import SharingCore

/// Where the program shows its state: the page's bindings in a browser, lines of text elsewhere.
enum Page {
  case browser
  case terminal

  /// Shows a text under a name: in the elements with `data-text="name"`, or as `name: text`.
  func set(_ name: StaticString, _ text: UTF8Text) {
    switch self {
    case .browser: bind(name, text)
    case .terminal: writeLine("\(name): \(text)", to: 1)
    }
  }

  /// Shows what is wrong; an empty text says that nothing is.
  func warn(_ message: UTF8Text) {
    switch self {
    case .browser: bind("notice", message)
    case .terminal: if !message.isEmpty { writeLine(message, to: 2) }
    }
  }

  private func bind(_ name: StaticString, _ text: UTF8Text) {
    let text = text.bytes
    _ = sharing_page_set(name.utf8Start, Int32(name.utf8CodeUnitCount), text, Int32(text.count))
  }

  private func writeLine(_ line: UTF8Text, to stream: Int32) {
    let line: UTF8Text = "\(line)\n"
    sharing_stream_write(stream, line.bytes, Int32(line.bytes.count))
  }
}
