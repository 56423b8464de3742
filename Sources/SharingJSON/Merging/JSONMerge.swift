import SharingCore

/// Merges the changes of two programs to one JSON text (rule R25).
///
/// ```
/// before  {"title":"Milk","done":false}
/// mine    {"title":"Milk","done":true}
/// theirs  {"title":"Oat milk","done":false}
/// merged  {"title":"Oat milk","done":true}
/// ```
/// Members of objects are parts, and elements of an array if all its elements have an `"id"`. If
/// both programs have changed one part, mine is taken, since it is committed later. The time is
/// linear in the length of the texts.
package struct JSONMerge {
  /// Whether changed whole numbers are sums, so that the differences of both programs are added.
  private let addsNumbers: Bool
  /// The number of levels whose parts are merged. A part of a deeper level is taken as one.
  private let levels: Int
  /// The number of levels that have merged parts; 0 if the result is the text of one program.
  private var mergedLevels = 0
  /// Whether a change of theirs is lost.
  private var hasLoss = false

  private init(addsNumbers: Bool, levels: Int = .max) {
    self.addsNumbers = addsNumbers
    self.levels = levels
  }

  /// Returns the merged text, nil if there is none, and whether a change of theirs is lost.
  ///
  /// If the merged text does not decode, larger parts are taken as one, at last the whole text. Two
  /// cases of an enum with values are an example: `{"circle":{"radius":1},"none":{}}`.
  /// - Parameter decodes: Whether a text decodes as the value's type.
  package static func merge(
    _ before: [UInt8]?, _ mine: [UInt8]?, _ theirs: [UInt8]?, addsNumbers: Bool,
    _ decodes: ([UInt8]) -> Bool
  ) -> (text: [UInt8]?, hasLoss: Bool) {
    var merge = JSONMerge(addsNumbers: addsNumbers)
    var merged = merge.merge(before, mine, theirs, at: 0)
    while merge.mergedLevels > 0, let text = merged, !decodes(text) {
      merge = JSONMerge(addsNumbers: addsNumbers, levels: merge.mergedLevels - 1)
      merged = merge.merge(before, mine, theirs, at: 0)
    }
    return (merged, merge.hasLoss)
  }

  /// Returns the merged text of a part at a level; nil if there is none.
  private mutating func merge(
    _ before: [UInt8]?, _ mine: [UInt8]?, _ theirs: [UInt8]?, at level: Int
  ) -> [UInt8]? {
    if mine.holdsSame(as: before) { return theirs }
    if theirs.holdsSame(as: before) { return mine }
    // An update of a removed part has no effect.
    if addsNumbers, before != nil, theirs == nil { return nil }
    // If both programs have added 1 to 0, the sum is 2.
    let isSame = mine.holdsSame(as: theirs)
    if isSame, !addsNumbers { return theirs }
    if let mine, let theirs {
      if level < levels, let merged = mergeParts(before, mine, theirs, at: level) { return merged }
      if addsNumbers, let sum = add(before, mine, theirs) {
        if level < levels {
          mergedLevels = max(mergedLevels, level + 1)
          return sum
        }
        hasLoss = true
        return mine
      }
    }
    hasLoss = hasLoss || !(isSame || theirs == nil)
    return mine
  }

  private mutating func mergeParts(
    _ before: [UInt8]?, _ mine: [UInt8], _ theirs: [UInt8], at level: Int
  ) -> [UInt8]? {
    guard mine.first == theirs.first, let mineParts = JSONParts(mine),
      let theirParts = JSONParts(theirs, like: mineParts),
      let formerParts = JSONParts(before?.first == mine.first ? before : nil, like: mineParts)
    else { return nil }
    mergedLevels = max(mergedLevels, level + 1)
    // If only one program has changed the order, its order is taken; if both have, theirs.
    let isTheirs = !theirParts.hasSameOrder(as: formerParts)
    let (first, second) = isTheirs ? (theirParts, mineParts) : (mineParts, theirParts)
    let added = addedParts(
      of: second, to: first, mineParts, theirParts, formerParts, at: level + 1)
    var merged = JSONPartsWriter(isObject: mine.first == UInt8(ascii: "{"))
    for part in added.atStart { merged.append(part.label, part.text) }
    for (index, part) in first.parts.enumerated() {
      if let text = mergePart(part.name, index, mineParts, theirParts, formerParts, at: level + 1) {
        merged.append(part.label, text)
      }
      for part in added.behind[index] { merged.append(part.label, part.text) }
    }
    return merged.end()
  }

  /// Returns the parts that only the second text has. Each goes behind the part of the first text
  /// that it follows in the second.
  private mutating func addedParts(
    of second: JSONParts, to first: JSONParts, _ mine: JSONParts, _ theirs: JSONParts,
    _ former: JSONParts, at level: Int
  ) -> (atStart: [JSONPart], behind: [[JSONPart]]) {
    var atStart: [JSONPart] = []
    var behind = [[JSONPart]](repeating: [], count: first.parts.count)
    var place: Int?
    for (index, part) in second.parts.enumerated() {
      if let position = first.position(of: part.name, at: index) {
        place = position
      } else if let text = mergePart(part.name, index, mine, theirs, former, at: level) {
        let added = JSONPart(part.name, part.label, text)
        if let place { behind[place].append(added) } else { atStart.append(added) }
      }
    }
    return (atStart, behind)
  }

  /// - Parameter index: Where the part is in one of the texts, and probably in the others.
  private mutating func mergePart(
    _ name: KeyName, _ index: Int, _ mine: JSONParts, _ theirs: JSONParts, _ former: JSONParts,
    at level: Int
  ) -> ArraySlice<UInt8>? {
    let (mine, theirs) = (mine.text(of: name, at: index), theirs.text(of: name, at: index))
    var before = former.text(of: name, at: index)
    // The id of an element that both have added is no number to add to.
    if before == nil, name == JSONParts.idName { before = theirs }
    // Most parts are the same in all three: these are not copied.
    if mine.holdsSame(as: before) { return theirs }
    if theirs.holdsSame(as: before) { return mine }
    return merge(
      before.map { Array($0) }, mine.map { Array($0) }, theirs.map { Array($0) }, at: level)?[...]
  }

  /// Adds the differences of whole numbers, also where `Int` has 32 bits. Other numbers are not
  /// added: a program without any must not link the code for them.
  private func add(_ before: [UInt8]?, _ mine: [UInt8], _ theirs: [UInt8]) -> [UInt8]? {
    // A number that was missing or null is counted from 0.
    let isNew = before == nil || before?.first == UInt8(ascii: "n")
    guard let before = isNew ? 0 : before.flatMap({ wholeNumber($0) }),
      let mine = wholeNumber(mine), let theirs = wholeNumber(theirs)
    else { return nil }
    let (difference, isTooLarge) = mine.subtractingReportingOverflow(before)
    let (sum, isTooLargeASum) = theirs.addingReportingOverflow(difference)
    return isTooLarge || isTooLargeASum ? nil : try? JSON.encode(sum)
  }

  private func wholeNumber(_ text: [UInt8]) -> Int64? {
    try? JSON.decode(Int64.self, from: text)
  }
}

extension [UInt8]? {
  /// Whether these are the same bytes, or both are missing.
  fileprivate func holdsSame(as other: Self) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.holdsSame(as: other)
  }
}

extension ArraySlice<UInt8>? {
  /// Whether these are the same bytes, or both are missing.
  fileprivate func holdsSame(as other: Self) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.withUnsafeBytes { bytes in other.withUnsafeBytes { bytes.holdsSame(as: $0) } }
  }
}

/// Writes the members of a stored text that the value's type lacks. Not for direct use: types refer
/// to it, so that only programs with such types link it.
public struct _UnknownMemberWriter: Sendable {
  /// Returns the text of a value with such members; nil if the texts cannot be merged.
  /// - Parameters:
  ///   - known: The text that the type writes for the stored value.
  ///   - text: The text that it writes for the new value.
  ///   - stored: The stored text.
  package let merge: @Sendable (_ known: [UInt8], _ text: [UInt8], _ stored: [UInt8]) -> [UInt8]?

  /// Merges the texts as those of two programs (``JSONMerge``).
  package static var merging: Self {
    Self { known, text, stored in
      JSONMerge.merge(known, text, stored, addsNumbers: false) { _ in true }.text
    }
  }
}
