import SharingCore

/// The members of an object, or the elements of an array that have an id, in order.
struct JSONParts {
  private(set) var parts: [JSONPart] = []
  /// Where the part of a name is among them.
  private var positions: [KeyName: Int] = [:]

  /// Nil if the text is neither an object nor an array of elements with ids, or two parts have one
  /// name. No text has no parts.
  /// - Parameter other: The parts of a text that probably has the same ones in the same order: then
  ///   their names are found together.
  init?(_ text: [UInt8]?, like other: JSONParts? = nil) {
    guard let text else { return }
    let read = try? JSONReader.read(text) { (reader) throws(JSONError) in
      try reader.kind() == .object ? reader.members(of: text) : reader.elements(of: text)
    }
    guard let parts = read ?? nil else { return nil }
    self.parts = parts
    if let other, hasSameNames(as: other) {
      positions = other.positions
      return
    }
    positions.reserveCapacity(parts.count)
    for (position, part) in parts.enumerated() {
      if positions.updateValue(position, forKey: part.name) != nil { return nil }
    }
  }

  private func hasSameNames(as other: JSONParts) -> Bool {
    guard parts.count == other.parts.count else { return false }
    return parts.indices.allSatisfy { parts[$0].name == other.parts[$0].name }
  }

  /// The name of the member that is an element's id.
  static let idName: KeyName = "id"

  /// The position of the part of a name.
  /// - Parameter guess: Where it probably is.
  func position(of name: KeyName, at guess: Int) -> Int? {
    if guess < parts.count, parts[guess].name == name { return guess }
    return positions[name]
  }

  /// The text of the part of a name.
  /// - Parameter guess: Where it probably is.
  func text(of name: KeyName, at guess: Int) -> ArraySlice<UInt8>? {
    position(of: name, at: guess).map { parts[$0].text }
  }

  /// Whether the parts that both have are in one order.
  func hasSameOrder(as other: JSONParts) -> Bool {
    var last = -1
    for (index, part) in parts.enumerated() {
      guard let position = other.position(of: part.name, at: index) else { continue }
      if position < last { return false }
      last = position
    }
    return true
  }
}

/// A member of an object, or an element of an array.
struct JSONPart {
  /// The name of the member without escapes, or the text of the element's id.
  let name: KeyName
  /// The member's name as it is written; empty for an element.
  let label: ArraySlice<UInt8>
  /// The JSON text of the member's value, or of the element.
  let text: ArraySlice<UInt8>

  init(_ name: KeyName, _ label: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) {
    self.name = name
    self.label = label
    self.text = text
  }
}

/// Writes an object or array of parts.
struct JSONPartsWriter {
  private let isObject: Bool
  private var text: [UInt8] = []

  init(isObject: Bool) {
    self.isObject = isObject
    text.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
  }

  mutating func append(_ label: ArraySlice<UInt8>, _ part: ArraySlice<UInt8>) {
    if text.count > 1 { text.append(UInt8(ascii: ",")) }
    if isObject {
      text.append(contentsOf: label)
      text.append(UInt8(ascii: ":"))
    }
    text.append(contentsOf: part)
  }

  /// Ends the text.
  mutating func end() -> [UInt8] {
    text.append(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    return text
  }
}

extension JSONReader {
  /// Reads an object of a text.
  fileprivate mutating func members(of text: [UInt8]) throws(JSONError) -> [JSONPart] {
    var parts: [JSONPart] = []
    var isMember = try beginObject()
    while isMember {
      let start = offset
      let name = KeyName(bytes: try JSONText(from: &self).utf8)
      let label = text[start..<offset]
      skipWhiteSpace()
      guard scan(UInt8(ascii: ":")) else { throw unexpected() }
      parts.append(JSONPart(name, label, text[try skippedValue()]))
      isMember = try nextMember()
    }
    return parts
  }

  /// Reads an array of a text.
  /// - Returns: Nil if an element has no id.
  fileprivate mutating func elements(of text: [UInt8]) throws(JSONError) -> [JSONPart]? {
    var parts: [JSONPart] = []
    var isElement = try beginArray()
    while isElement {
      guard try kind() == .object else { return nil }
      let start = offset
      guard let id = try skippedElementID() else { return nil }
      parts.append(JSONPart(KeyName(bytes: Array(text[id])), [], text[start..<offset]))
      isElement = try nextElement()
    }
    return parts
  }

  /// Reads over the next value, an object.
  /// - Returns: Where its member `"id"` has its value; nil if it has none, or two.
  private mutating func skippedElementID() throws(JSONError) -> Range<Int>? {
    var (id, count): (Range<Int>?, Int) = (nil, 0)
    var isMember = try beginObject()
    while isMember {
      let isID = try memberName().matches("id")
      let value = try skippedValue()
      if isID { (id, count) = (value, count + 1) }
      isMember = try nextMember()
    }
    return count == 1 ? id : nil
  }

  /// Reads over the next value.
  /// - Returns: Where it is.
  private mutating func skippedValue() throws(JSONError) -> Range<Int> {
    skipWhiteSpace()
    let start = offset
    try skipValue()
    return start..<offset
  }
}
