import SharingPage

/// How the page looks, under one key. A field that is added later needs no migration.
@Stored struct Settings: Equatable {
  var theme = Theme.system
  var showsTimes = true
}

/// The colours of the page.
enum Theme: String, CaseIterable, JSONValue, FieldValue {
  case system, light, dark
}
