import WasiStorage

enum Theme: String, CaseIterable, JSONValue { case light, dark, solarized }
