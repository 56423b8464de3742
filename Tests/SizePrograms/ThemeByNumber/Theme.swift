import WasiStorage

enum Theme: Int, CaseIterable, JSONValue { case light, dark, solarized }
