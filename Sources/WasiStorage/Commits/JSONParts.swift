import SharingCore

/// The members of an object, or the elements of an array that have an id, in order.
struct JSONParts {
  private(set) var parts: [JSONPart] = []
  /// Where the part of a name is among them.
  private var positions: [KeyName: Int] = [:]

  /// No parts.
  init() {}

  /// Nil if the text is neither an object nor an array of elements with ids, or two parts have one
  /// name.
  init?(_ text: [UInt8]) {
    let read = try? JSONReader.read(text) { (reader) throws(JSONError) in
      try reader.kind() == .object ? reader.members(of: text) : reader.elements(of: text)
    }
    guard let parts = read ?? nil else { return nil }
    self.parts = parts
    positions.reserveCapacity(parts.count)
    for (position, part) in parts.enumerated() {
      if positions.updateValue(position, forKey: part.name) != nil { return nil }
    }
  }

  /// The name of the member that is an element's id.
  static let idName: KeyName = "id"

  /// The position of the part of a name.
  func position(of name: KeyName) -> Int? { positions[name] }

  /// The text of the part of a name.
  subscript(name: KeyName) -> [UInt8]? { positions[name].map { parts[$0].text } }

  /// Whether the parts that both have are in one order.
  func hasSameOrder(as other: JSONParts) -> Bool {
    var last = -1
    for part in parts {
      guard let position = other.position(of: part.name) else { continue }
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
  let label: [UInt8]
  /// The JSON text of the member's value, or of the element.
  let text: [UInt8]

  init(_ name: KeyName, _ label: [UInt8], _ text: [UInt8]) {
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

  mutating func append(_ part: JSONPart) {
    if text.count > 1 { text.append(UInt8(ascii: ",")) }
    if isObject {
      text.append(contentsOf: part.label)
      text.append(UInt8(ascii: ":"))
    }
    text.append(contentsOf: part.text)
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
      let label = Array(text[start..<offset])
      skipWhiteSpace()
      guard scan(UInt8(ascii: ":")) else { throw unexpected() }
      parts.append(JSONPart(name, label, Array(text[try skippedValue()])))
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
      parts.append(JSONPart(KeyName(bytes: Array(text[id])), [], Array(text[start..<offset])))
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
