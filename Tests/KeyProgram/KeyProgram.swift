import SharingCore
import WasiStorage

/// As a command it does nothing: a page calls its exports.
@main
struct KeyProgram {
  static func main() {}
}

nonisolated(unsafe) private var values: Values?

/// Shows the values for the first time.
@_expose(wasm, "sharing_start")
@c(sharing_start)
public func start() {
  values = Values()
  batch { values?.show() }
}

/// A test has done something: its name is in the inbox, and after it a text.
@_expose(wasm, "sharing_page_event")
@c(sharing_page_event)
public func pageEvent(_ nameByteCount: Int32, _ textByteCount: Int32) {
  let name = UTF8Text(Inbox.bytes(nameByteCount))
  let text = Inbox.bytes(max(0, textByteCount), from: nameByteCount)
  batch { values?.perform(name, String(decoding: text, as: UTF8.self)) }
}
