import SharingPage

enum Theme: String, CaseIterable, JSONValue { case light, dark, solarized }
