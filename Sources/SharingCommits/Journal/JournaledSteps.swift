import SharingCore
import WasiStorage

/// The steps that a client has in a journal entry: a JSON array of texts, the number of its last
/// step that is committed, that of the client, and then those of each step.
///
/// ```
/// NUMBER, KIND, KEY, DEFAULT or null, BEFORE…, AFTER…     DEFAULT is with the first of a key
/// NUMBER, null, AFTER…          the same kind and key; BEFORE is the last AFTER
/// ```
/// A text is written as its difference from the key's text before: the number of equal bytes at the
/// beginning, the number at the end, and the bytes between. So each step is kept by itself, also of
/// large values. If another program commits the first steps, the others still apply exactly.
struct JournaledSteps: Sendable {
  let client: UTF8Text
  /// Higher than the order of the journals that the client showed when it began.
  let order: Int
  let bytes: [UInt8]
  let steps: [JournaledStep]
  /// The item that has them, and older ones of the client, which have nothing else.
  var names: [KeyName] = []
  /// Whether the client writes all its steps to one item, again and again, as older programs do.
  var isInOlderForm = false
  private let committedStep: Int

  /// Reads a journal; nil if the bytes are something else.
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

  /// A commit of the steps, for a client that has ended.
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

  /// Applies the steps after a number to the stored values. The closures are gone: changes merge,
  /// and updated numbers add their difference.
  /// - Parameter isAlone: Whether only this program can do it. If not, returns nil if the closures,
  ///   which their own program may still have, could give another result.
  /// - Parameter coding: Returns the coding of a key; nil if this program does not have the key.
  func rebase(
    onto stored: [StoredRevision], after applied: Int, isAlone: Bool,
    _ coding: (KeyName) -> AnyStorageCoding?
  ) -> [CommitEntry]? {
    var entries: [CommitEntry] = []
    var isExact = true
    for stored in stored {
      var text = stored.bytes
      var loss: [UInt8]?
      // Skip copies that an earlier rebase has made; they are made anew if needed.
      guard has(stored.key) else { continue }
      let coding = coding(stored.key)
      for step in steps where step.key == stored.key && step.number > applied {
        if step.kind == .adoption {
          if stored.revision == 0 { text = step.after }
        } else if step.isOfOtherForm(than: text, stored.revision) {
          loss = step.after
        } else {
          let theirs = text ?? step.defaultText
          if step.isUpdate, ItemContents(theirs) != ItemContents(step.former) { isExact = false }
          let made = step.made(on: theirs, coding)
          text = made.text
          if made.hasLoss { loss = loss ?? theirs }
        }
      }
      entries.append(CommitEntry(key: stored.key, expected: stored.revision, bytes: text))
      if let loss {
        let copy = stored.key.copy("replaced")
        entries.append(CommitEntry(key: copy, expected: nil, bytes: loss))
      }
    }
    return isExact || isAlone ? entries : nil
  }

  /// Returns the number of steps of a key.
  func count(of key: KeyName) -> Int { steps.filter { $0.key == key }.count }

  /// Whether there is a step of a key.
  func has(_ key: KeyName) -> Bool { steps.contains { $0.key == key } }

  /// Returns the result of the steps on a text; if they did not begin on this text, returns it
  /// unchanged.
  func result(
    of key: KeyName, from text: [UInt8]?, _ coding: AnyStorageCoding
  ) -> [UInt8]? {
    var (result, isFirst) = (text, true)
    for step in steps where step.key == key {
      let isMissing = result?.isEmpty ?? true
      if isFirst, !(isMissing ? step.isOnDefault : result == step.former) { return text }
      isFirst = false
      // Later steps may have begun on the text that their program showed before.
      result = step.made(on: isMissing ? step.defaultText : result, coding).text ?? []
    }
    return result
  }
}
