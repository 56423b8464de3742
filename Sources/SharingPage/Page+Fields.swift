import WasiStorage

/// A value that a control of a page can edit: text, numbers, flags, lists of these, and enums of
/// strings, which only declare it:
///
/// ```swift
/// enum Theme: String, CaseIterable, JSONValue, FieldValue { case light, dark }
/// ```
public protocol FieldValue {
  /// Reads the text that a person has entered; nil if it is not valid.
  init?(fieldText text: UTF8Text)

  /// The text that the field shows.
  var fieldText: UTF8Text { get }
}

extension Page {
  /// Binds a control to a shared value, both ways: the control shows the value, and a person's
  /// entry sets it. On a command line, `NAME TEXT` sets it.
  ///
  /// ```swift
  /// page.bind("draft", to: $draft)  // <textarea data-model="draft">
  /// page.bind("size", to: $settings.fontSize)  // <input type="number" data-model="size">
  /// page.bind("dark", to: $settings.isDark)  // <input type="checkbox" data-model="dark">
  /// page.bind("langs", to: $langs)  // <input type="checkbox" value="sv" data-model="langs">
  /// page.bind("theme", to: $settings.theme)
  /// // <select data-model="theme"><option>light<option>dark</select>
  /// ```
  /// Text that is no such value is refused: the value stays, and the page shows the reason under
  /// "refused".
  public func bind<Value: FieldValue>(_ name: StaticString, to value: Shared<Value>) {
    observe { [self] in set(name, value.wrappedValue.fieldText) }
    on(name, "TEXT") { text throws(ActionError) in
      guard let entered = Value(fieldText: text) else {
        throw ActionError("\"\(text)\" is not valid here.")
      }
      value.withLock { $0 = entered }
    }
  }
}

extension UTF8Text: FieldValue {
  /// The text itself.
  public init?(fieldText text: UTF8Text) { self = text }

  /// The text itself.
  public var fieldText: UTF8Text { self }
}

extension String: FieldValue {
  /// The text as a string.
  public init?(fieldText text: UTF8Text) { self = text.description }

  /// The string's bytes.
  public var fieldText: UTF8Text { UTF8Text(self) }
}

extension Bool: FieldValue {
  /// True of "true"; false of an empty text and of "false".
  public init?(fieldText text: UTF8Text) {
    guard text == "true" || text == "false" || text.isEmpty else { return nil }
    self = text == "true"
  }

  /// "true", or nothing.
  public var fieldText: UTF8Text { self ? "true" : "" }
}

extension LocalDate: FieldValue {
  /// Reads the text of `<input type="date">`.
  public init?(fieldText text: UTF8Text) { self.init(text) }

  /// The text, as `2026-11-28`.
  public var fieldText: UTF8Text { text }
}

extension Array: FieldValue where Element: FieldValue {
  /// Reads a JSON list of texts: `["sv","en"]`; nil if one of them is not valid.
  public init?(fieldText text: UTF8Text) {
    guard let texts = try? JSON.decode([UTF8Text].self, from: text.bytes) else { return nil }
    self = []
    for text in texts {
      guard let element = Element(fieldText: text) else { return nil }
      append(element)
    }
  }

  /// A JSON list of the elements' texts.
  public var fieldText: UTF8Text {
    UTF8Text((try? JSON.encode(map { $0.fieldText })) ?? [])
  }
}

extension FieldValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  /// Finds the case with this raw value.
  public init?(fieldText text: UTF8Text) {
    guard let value = Self.named(text.bytes) else { return nil }
    self = value
  }

  /// The raw value.
  public var fieldText: UTF8Text { UTF8Text(rawValue) }
}

// Numbers only: an enum under a key has a JSON form, too, with quotation marks.
extension FieldValue where Self: JSONValue & Numeric {
  /// Reads the number in its JSON form.
  public init?(fieldText text: UTF8Text) {
    guard let value = try? JSON.decode(Self.self, from: text.bytes) else { return nil }
    self = value
  }

  /// The JSON form.
  public var fieldText: UTF8Text { UTF8Text((try? JSON.encode(self)) ?? []) }
}

extension Int: FieldValue {}
extension Int64: FieldValue {}
extension Double: FieldValue {}
