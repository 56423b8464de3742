import SharingCore

/// The steps that a client has in a journal entry: a JSON array of texts, the number of its last
/// step that is committed, that of the client, and then those of each step.
///
/// ```
/// NUMBER, KIND, KEY, DEFAULT or null, BEFORE…, AFTER…     the default is with the first of a key
/// NUMBER, null, AFTER…                                    the same again, on what that has made
/// ```
/// A text is written as what differs from the one before it of the same key: how many bytes are the
/// same at the beginning, how many at the end, and those between. So each step is kept by itself,
/// also of large values: another program may commit the first ones, and then the rest is exact.
struct JournaledSteps: Sendable {
  let client: UTF8Text
  /// Higher than those of the clients whose steps it had shown when it began.
  let order: Int
  let bytes: [UInt8]
  let steps: [JournaledStep]
  /// The item that has them, and older ones of the client, which have nothing else.
  var names: [KeyName] = []
  /// Whether the client writes all its steps to one item, again and again, as older programs do.
  var isInOlderForm = false
  private let committedStep: Int

  /// Nil where the bytes are something else.
  init?(of client: UTF8Text, _ bytes: [UInt8]) {
    guard let words = try? JSON.decode([UTF8Text?].self, from: bytes) else { return nil }
    var reader = JournalReader(words)
    guard let committedStep = reader.nextNumber(), let order = reader.nextNumber(),
      let steps = reader.steps()
    else { return nil }
    self.client = client
    self.committedStep = committedStep
    self.order = order
    self.bytes = bytes
    self.steps = steps
  }

  /// The steps, to be committed for a client that is gone.
  var commit: Commit {
    var (entries, through) = ([CommitEntry](), 0)
    for step in steps {
      through = max(through, step.number)
      if !entries.contains(where: { $0.key == step.key }) {
        entries.append(CommitEntry(key: step.key, expected: -1, bytes: nil))
      }
    }
    return Commit(client: client, after: committedStep, through: through, entries: entries)
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
      // A copy of what was replaced before is made anew where it has to be.
      guard has(stored.key) else { continue }
      for step in steps where step.key == stored.key && step.number > applied {
        if step.kind == .adoption {
          if stored.revision == 0 { text = step.after }
        } else if step.isOfOtherForm(than: text, stored.revision) {
          loss = step.after
        } else {
          let theirs = text ?? step.defaultText
          if step.isUpdate, LastKnown(theirs) != LastKnown(step.former) { isExact = false }
          let made = step.made(on: theirs)
          text = made.text
          if made.hasLoss { loss = loss ?? theirs }
        }
      }
      entries.append(CommitEntry(key: stored.key, expected: stored.revision, bytes: text))
      if let loss {
        let name: UTF8Text = "\(stored.key).replaced"
        entries.append(CommitEntry(key: KeyName(bytes: name.bytes), expected: nil, bytes: loss))
      }
    }
    return isExact || isAlone ? entries : nil
  }

  /// How many of them are of a key.
  func count(of key: KeyName) -> Int { steps.filter { $0.key == key }.count }

  /// Whether one of them is of a key.
  func has(_ key: KeyName) -> Bool { steps.contains { $0.key == key } }

  /// What they have made of a text that they were begun on; of another one, that text.
  func result(of key: KeyName, from text: [UInt8]?) -> [UInt8]? {
    var (result, isFirst) = (text, true)
    for step in steps where step.key == key {
      let isNothing = result?.isEmpty ?? true
      if isFirst, !(isNothing ? step.isOnDefault : result == step.former) { return text }
      isFirst = false
      // The later ones may have been begun on what their program showed before that.
      result = step.made(on: isNothing ? step.defaultText : result).text ?? []
    }
    return result
  }
}
