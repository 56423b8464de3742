import SharingPage

/// The choices of the dialog. A field that is added later needs no migration.
@Stored struct Settings: Equatable {
  var theme = Theme.system
  var budget = 1000  // euros in a month
}

enum Theme: String, CaseIterable, JSONValue, FieldValue {
  case system, light, dark
}
