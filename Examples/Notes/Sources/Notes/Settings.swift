import SharingPage

/// How the page looks, under one key. A field that is added later needs no migration.
struct Settings: JSONCodable, Equatable {
  var theme = Theme.system
  var showsTimes = true

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("theme", &theme)
    try json.field("showsTimes", &showsTimes)
  }
}

/// The colours of the page.
enum Theme: String, CaseIterable, JSONValue, FieldValue {
  case system, light, dark
}
