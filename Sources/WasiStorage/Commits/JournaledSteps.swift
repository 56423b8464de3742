import SharingCore

/// The steps that a client has in its journal: a JSON array of texts, the number of its last step
/// that is committed, that of the client, and of each step number, kind, key, text before, text
/// after, and of the first one of each key that of the default.
///
/// A text is written as what differs from the one before it of the same key: how many bytes are the
/// same at the beginning, how many at the end, and those between. So each step is kept by itself,
/// also of large values: another program may commit the first ones, and then the rest is exact.
///
/// A class, as ``CommitEntry``.
final class JournaledSteps: @unchecked Sendable {
  let client: UTF8Text
  /// Higher than those of the clients whose steps it had shown when it began.
  let order: Int
  let bytes: [UInt8]
  private let words: [UTF8Text?]
  private static let width = 10

  /// Nil where the bytes are something else.
  init?(of client: UTF8Text, _ bytes: [UInt8]) {
    guard let words = try? JSON.decode([UTF8Text?].self, from: bytes),
      words.count % Self.width == 2, words.count > 2, let order = words[1]?.number
    else { return nil }
    self.client = client
    self.order = order
    self.bytes = bytes
    self.words = words
    guard forEach({ _, _ in }) else { return nil }
  }

  /// The steps, to be committed for a client that is gone.
  var commit: Commit {
    var (entries, through) = ([CommitEntry](), 0)
    forEach { key, step in
      through = max(through, step.number)
      if !entries.contains(where: { $0.key == key }) {
        entries.append(CommitEntry(key: key, expected: -1, bytes: nil))
      }
    }
    return Commit(
      client: client, after: words[0]?.number ?? 0, through: through, entries: entries)
  }

  /// What the steps behind a number make of what is stored. Closures are gone: what both have
  /// changed merges, and numbers that were updated are added to.
  /// - Parameter isAlone: Whether only this program can do it. Where another one may still have the
  ///   closures, nil where they could make something else.
  func rebase(
    onto stored: [StoredRevision], after applied: Int, isAlone: Bool
  ) -> [CommitEntry]? {
    var entries: [CommitEntry] = []
    var isExact = true
    for stored in stored {
      var text = stored.bytes
      var loss: [UInt8]?
      var isCopy = true
      forEach { key, step in
        guard key == stored.key else { return }
        isCopy = false
        guard step.number > applied else { return }
        if step.kind == "adopt" {
          if stored.revision == 0 { text = step.after }
        } else if step.isOfOtherForm(than: text, stored.revision) {
          loss = step.after
        } else {
          let theirs = text ?? step.defaultText
          if step.isUpdate, LastKnown(theirs) != LastKnown(step.former) { isExact = false }
          var hasLoss = false
          text = step.made(on: theirs, &hasLoss)
          if hasLoss { loss = loss ?? theirs }
        }
      }
      // A copy of what was replaced before is made anew where it has to be.
      if isCopy { continue }
      entries.append(CommitEntry(key: stored.key, expected: stored.revision, bytes: text))
      if let loss {
        let name: UTF8Text = "\(stored.key).replaced"
        entries.append(CommitEntry(key: KeyName(bytes: name.bytes), expected: nil, bytes: loss))
      }
    }
    return isExact || isAlone ? entries : nil
  }

  /// Their numbers.
  var numbers: [Int] {
    var numbers: [Int] = []
    forEach { _, step in numbers.append(step.number) }
    return numbers
  }

  /// How many of them are of a key.
  func count(of key: KeyName) -> Int {
    var count = 0
    forEach { name, _ in if name == key { count += 1 } }
    return count
  }

  /// What they have made of a text that they were begun on; of another one, that text.
  func result(of key: KeyName, from text: [UInt8]?) -> [UInt8]? {
    var (result, isFirst, isBegunOnIt) = (text, true, true)
    forEach { name, step in
      guard name == key else { return }
      let isNothing = result?.isEmpty ?? true
      if isFirst { isBegunOnIt = isNothing ? step.isOnDefault : result == step.former }
      isFirst = false
      guard isBegunOnIt else { return }
      // The later ones may have been begun on what their program showed before that.
      var hasLoss = false
      result = step.made(on: isNothing ? step.defaultText : result, &hasLoss) ?? []
    }
    return result
  }

  /// - Returns: Whether all of them are steps.
  @discardableResult
  private func forEach(_ body: (_ key: KeyName, _ step: JournaledStep) -> Void) -> Bool {
    var (key, former, isWhole) = (KeyName(bytes: []), [UInt8](), true)
    var defaultText: [UInt8]?
    for index in stride(from: 2, to: words.count, by: Self.width) {
      let name = KeyName(bytes: words[index + 2]?.bytes ?? [])
      if name != key { (key, former, defaultText) = (name, [], nil) }
      defaultText = words[index + 9]?.bytes ?? defaultText
      let before = text(at: index + 3, &former, &isWhole)
      let after = text(at: index + 6, &former, &isWhole)
      guard isWhole, let number = words[index]?.number else { return false }
      let step = JournaledStep(
        number: number, kind: words[index + 1] ?? "", before: before, after: after,
        defaultText: defaultText)
      body(key, step)
    }
    return true
  }

  private func text(at index: Int, _ former: inout [UInt8], _ isWhole: inout Bool) -> [UInt8]? {
    guard let middle = words[index + 2] else { return nil }
    let (start, end) = (words[index]?.number ?? -1, words[index + 1]?.number ?? -1)
    guard min(start, end) >= 0, max(start, end) <= former.count else {
      isWhole = false
      return nil
    }
    var text = UTF8Text(Array(former[0..<start]))
    text += middle
    text += UTF8Text(Array(former[former.count - end..<former.count]))
    former = text.bytes
    return former
  }
}
