import SharingCore

/// Merges what two programs have made of one JSON text (rule R25).
///
/// ```
/// before  {"title":"Milk","done":false}
/// mine    {"title":"Milk","done":true}
/// theirs  {"title":"Oat milk","done":false}
/// merged  {"title":"Oat milk","done":true}
/// ```
/// Members of objects are parts, and elements of an array whose elements all have an `"id"`. Where
/// both have changed one part, mine is taken, since it is committed later.
struct JSONMerge {
  /// Whether both have changed a number by adding to it.
  let addsNumbers: Bool
  /// Whether something of theirs is lost.
  private(set) var hasLoss = false

  init(addsNumbers: Bool = false) {
    self.addsNumbers = addsNumbers
  }

  /// The merged text; nil where there is none. All three are written without white space.
  mutating func merge(_ before: [UInt8]?, _ mine: [UInt8]?, _ theirs: [UInt8]?) -> [UInt8]? {
    if LastKnown(mine) == LastKnown(before) { return theirs }
    if LastKnown(theirs) == LastKnown(before) { return mine }
    // An update of what is gone has no effect.
    if addsNumbers, before != nil, theirs == nil { return nil }
    // Two that have both made 1 of 0 by adding have made 2.
    let isSame = LastKnown(mine) == LastKnown(theirs)
    if isSame, !addsNumbers { return theirs }
    if let mine, let theirs {
      if let merged = mergeParts(before, mine, theirs) { return merged }
      if addsNumbers, let merged = add(before, mine, theirs) { return merged }
    }
    hasLoss = hasLoss || !(isSame || theirs == nil)
    return mine
  }

  private mutating func mergeParts(
    _ before: [UInt8]?, _ mine: [UInt8], _ theirs: [UInt8]
  ) -> [UInt8]? {
    guard mine.first == theirs.first, let mineParts = JSONParts(mine),
      let theirParts = JSONParts(theirs),
      let formerParts = before?.first == mine.first ? before.flatMap(JSONParts.init) : JSONParts()
    else { return nil }
    // The order is that of who has changed it; where both have, theirs.
    let isTheirs = !theirParts.hasSameOrder(as: formerParts)
    let (first, second) = isTheirs ? (theirParts, mineParts) : (mineParts, theirParts)
    var merged = JSONParts()
    for part in first.parts {
      let name = part.name
      // The id of an element that both have added is no number to add to.
      let isID = LastKnown(name) == LastKnown(JSONParts.idName)
      let former = formerParts[name] ?? (isID ? theirParts[name] : nil)
      merged.append(name, merge(former, mineParts[name], theirParts[name]))
    }
    var former: [UInt8]?
    for part in second.parts {
      let name = part.name
      if first[name] == nil {
        let value = merge(formerParts[name], mineParts[name], theirParts[name])
        merged.insert(name, value, behind: former)
      }
      // Behind one that is gone comes what was behind it.
      if merged[name] != nil { former = name }
    }
    return merged.text(like: mine)
  }

  private func add(_ before: [UInt8]?, _ mine: [UInt8], _ theirs: [UInt8]) -> [UInt8]? {
    guard let mine = try? JSON.decode(Int.self, from: mine),
      let theirs = try? JSON.decode(Int.self, from: theirs)
    else { return nil }
    let before = before.flatMap { try? JSON.decode(Int.self, from: $0) } ?? 0
    let (difference, isTooLarge) = mine.subtractingReportingOverflow(before)
    let (sum, isTooLargeASum) = theirs.addingReportingOverflow(difference)
    return isTooLarge || isTooLargeASum ? nil : try? JSON.encode(sum)
  }
}

/// A member of an object, or an element of an array: its name, as it is written, and its text.
final class JSONPart {
  let name: [UInt8]
  let text: [UInt8]

  init(_ name: [UInt8], _ text: [UInt8]) {
    self.name = name
    self.text = text
  }
}

/// The members of an object, or the elements of an array that have an id, in order.
struct JSONParts {
  private(set) var parts: [JSONPart] = []

  init() {}

  /// Nil where the text is no such thing, or two parts have one name.
  init?(_ text: [UInt8]) {
    guard let parts = try? Self.read(text) else { return nil }
    for part in parts {
      if part.name.isEmpty || self[part.name] != nil { return nil }
      self.parts.append(part)
    }
  }

  /// The text of the part of a name.
  subscript(name: [UInt8]) -> [UInt8]? {
    for part in parts where part.name.holdsSame(as: name) { return part.text }
    return nil
  }

  /// Whether the parts that both have are in one order.
  func hasSameOrder(as other: JSONParts) -> Bool {
    let common = parts.filter { other[$0.name] != nil }
    let others = other.parts.filter { self[$0.name] != nil }
    for index in 0..<common.count where !common[index].name.holdsSame(as: others[index].name) {
      return false
    }
    return true
  }

  mutating func append(_ name: [UInt8], _ text: [UInt8]?) {
    if let text { parts.append(JSONPart(name, text)) }
  }

  /// Inserts a part behind that of another name, or at the beginning.
  mutating func insert(_ name: [UInt8], _ text: [UInt8]?, behind former: [UInt8]?) {
    guard let text else { return }
    let index = former.map { former in parts.firstIndex { $0.name.holdsSame(as: former) } ?? -1 }
    parts.insert(JSONPart(name, text), at: (index ?? -1) + 1)
  }

  /// The object or array of these parts.
  func text(like other: [UInt8]) -> [UInt8] {
    let isObject = other.first == UInt8(ascii: "{")
    var text = UTF8Text(isObject ? "{" : "[")
    for (index, part) in parts.enumerated() {
      if index > 0 { text += "," }
      if isObject {
        text += UTF8Text(part.name)
        text += ":"
      }
      text += UTF8Text(part.text)
    }
    text += isObject ? "}" : "]"
    return text.bytes
  }

  /// The parts; an element without an id has no name.
  private static func read(_ text: [UInt8]) throws(JSONError) -> [JSONPart] {
    var parts: [JSONPart] = []
    var reader = JSONReader(text)
    if try reader.kind() == .object {
      var isMember = try reader.beginObject()
      while isMember {
        let start = reader.offset
        _ = try reader.memberName()
        let name = Array(text[start..<reader.offset - 1])
        parts.append(JSONPart(name, try reader.skippedValue(of: text)))
        isMember = try reader.nextMember()
      }
    } else {
      var isElement = try reader.beginArray()
      while isElement {
        let element = try reader.skippedValue(of: text)
        let isObject = element.first == UInt8(ascii: "{")
        parts.append(JSONPart((isObject ? JSONParts(element)?[idName] : nil) ?? [], element))
        isElement = try reader.nextElement()
      }
    }
    return parts
  }

  fileprivate static var idName: [UInt8] { UTF8Text("\"id\"").bytes }
}

extension JSONReader {
  /// Reads over the next value of a text.
  /// - Returns: Its bytes.
  fileprivate mutating func skippedValue(of text: [UInt8]) throws(JSONError) -> [UInt8] {
    let start = offset
    try skipValue()
    return Array(text[start..<offset])
  }
}
