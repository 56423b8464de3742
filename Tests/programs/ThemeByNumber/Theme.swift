import SharingPage

enum Theme: Int, CaseIterable, JSONValue { case light, dark, solarized }
