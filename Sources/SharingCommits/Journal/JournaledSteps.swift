import SharingCore
import WasiStorage

/// The uncommitted steps of one client, as they are in a journal entry:
///
/// ```
/// {"committed":3,"order":1,"waits":false,"steps":[
///   {"number":4,"kind":"update","key":"tally","default":"0","before":"1","after":"2"}]}
/// ```
/// Each step has whole texts, so that it still applies exactly if another program commits the steps
/// before it.
struct JournaledSteps: JSONCodable, Sendable {
  /// The client, and the items that have its steps: the newest entry, and older ones, which have
  /// nothing else. Not in the text.
  var client = UTF8Text()
  var names: [KeyName] = []
  /// The number of the client's last step that is committed.
  var committedStep = 0
  /// Higher than the order of the journals that the client showed when it began.
  var order = 0
  /// Whether they wait for a program of another release.
  var waits = false
  var steps: [JournaledStep] = []

  init() {}

  /// Reads a journal entry; nil if the bytes are something else.
  init?(of client: UTF8Text, _ bytes: [UInt8]) {
    guard let found = try? JSON.decode(Self.self, from: bytes),
      !found.steps.isEmpty, found.steps.allSatisfy({ $0.number > 0 })
    else { return nil }
    self = found
    self.client = client
  }

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("committed", &committedStep)
    try json.field("order", &order)
    try json.field("waits", &waits)
    try json.field("steps", &steps)
  }

  /// The number of the last step; 0 without steps.
  var lastStep: Int {
    var last = 0
    for step in steps { last = max(last, step.number) }
    return last
  }

  /// Adds the later steps of an entry of the same client, if that is a newer one.
  mutating func add(_ newer: JournaledSteps) {
    let last = lastStep
    guard newer.lastStep > last else { return }
    steps += newer.steps.filter { $0.number > last }
    names = newer.names
  }

  /// The steps behind those that are committed; nil if there are none.
  var uncommitted: JournaledSteps? {
    var rest = self
    rest.steps.removeAll { $0.number <= committedStep }
    return rest.steps.isEmpty ? nil : rest
  }

  /// A commit of the steps, for a client that has ended.
  var commit: Commit {
    var entries: [CommitEntry] = []
    for step in steps {
      if !entries.contains(where: { $0.key == step.key }) {
        entries.append(CommitEntry(key: step.key, expected: -1, bytes: nil))
      }
    }
    return Commit(client: client, after: committedStep, through: lastStep, entries: entries)
  }

  enum Rebased {
    case entries([CommitEntry])
    /// The steps have closures, which only their own program has, with maybe another result.
    case leftToOwnProgram
    /// A stored text is of another release; the steps wait until a program can read both.
    case unreadable(StorageError)
  }

  /// Applies the steps after a number to the stored values. The closures are gone: changes merge,
  /// and updated numbers add their difference.
  /// - Parameters:
  ///   - isAlone: Whether the steps are not left to their own program.
  ///   - encoded: Returns the value of a key, with its coding; nil if this program does not have
  ///     the key.
  func rebase(
    onto stored: [StoredRevision], after applied: Int, isAlone: Bool,
    _ encoded: (KeyName) -> EncodedValue?
  ) -> Rebased {
    var entries: [CommitEntry] = []
    var isExact = true
    // Skip lists of replaced values; their entries are made anew if needed.
    for stored in stored where has(stored.key) {
      var (text, loss) = (stored.bytes, [UInt8]?.none)
      let encoded = encoded(stored.key)
      for step in steps where step.key == stored.key && step.number > applied {
        if step.kind == .adoption {
          if stored.revision == 0 { text = step.after?.bytes }
          continue
        }
        if text == nil, !step.isOnDefault, stored.revision > 0 {
          loss = step.after?.bytes  // the text was removed
          continue
        }
        do throws(StorageError) {
          let step = try step.matched(to: &text, encoded)
          let theirs = text ?? step.defaultText?.bytes
          if step.isUpdate, ItemContents(theirs) != ItemContents(step.former) { isExact = false }
          let made = step.made(on: theirs, encoded)
          text = made.text
          if made.hasLoss { loss = loss ?? theirs }
        } catch {
          return .unreadable(error.of(stored.key))
        }
      }
      entries.append(CommitEntry(key: stored.key, expected: stored.revision, bytes: text))
      if let loss {
        // Damage is copied as a program that runs does it (rule R15).
        let isDamage = !JSON.hasOutline(loss) && !(encoded?.coding.decodes(loss) ?? true)
        let copy = stored.key.copy(isDamage ? "corrupt" : "replaced")
        entries.append(CommitEntry(key: copy, expected: nil, bytes: loss))
      }
    }
    guard isExact || isAlone else { return .leftToOwnProgram }
    return .entries(entries.listing(in: stored, "\(client).\(lastStep)"))
  }

  /// Whether a program can read the steps.
  func areReadable(_ encoded: (KeyName) -> EncodedValue?) -> Bool {
    for step in steps {
      var text = step.after?.bytes ?? step.former
      if (try? step.matched(to: &text, encoded(step.key))) == nil { return false }
    }
    return true
  }

  /// Returns the number of steps of a key.
  func count(of key: KeyName) -> Int { steps.filter { $0.key == key }.count }

  /// Whether there is a step of a key.
  func has(_ key: KeyName) -> Bool { steps.contains { $0.key == key } }

  /// Whether both have steps of a key.
  func sharesKey(with other: JournaledSteps) -> Bool { steps.contains { other.has($0.key) } }

  /// Whether their program may have shown others when it made these.
  func mayDepend(on other: JournaledSteps) -> Bool {
    other.order < order && sharesKey(with: other)
  }

  /// Returns the text after the last step of a key; nil for the default.
  func lastText(of key: KeyName) -> [UInt8]? { steps.last { $0.key == key }?.after?.bytes }

  /// Returns the result of the steps on a text; if they did not begin on this text, returns it
  /// unchanged.
  func result(
    of key: KeyName, from text: [UInt8]?, _ encoded: EncodedValue
  ) -> [UInt8]? {
    var (result, isFirst) = (text, true)
    for step in steps where step.key == key {
      let isMissing = result?.isEmpty ?? true
      if isFirst, !(isMissing ? step.isOnDefault : result == step.former) { return text }
      isFirst = false
      // Later steps may have begun on the text that their program showed before.
      result = step.made(on: isMissing ? step.defaultText?.bytes : result, encoded).text ?? []
    }
    return result
  }
}
