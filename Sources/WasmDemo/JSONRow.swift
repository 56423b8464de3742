import SharingCore
import WasiStorage

/// Some members of a row on the page, as JSON.
struct JSONRow {
  private var members: UTF8Text = ""

  /// A row of that name.
  init(_ key: UTF8Text) {
    add("key", key)
  }

  mutating func add(_ name: StaticString, _ value: UTF8Text) {
    var writer = JSONWriter()
    value.encode(into: &writer)
    members += members.isEmpty ? "{" : ","
    members += "\"\(name)\":\(UTF8Text(writer.bytes))"
  }

  var text: UTF8Text { "\(members)}" }
}
