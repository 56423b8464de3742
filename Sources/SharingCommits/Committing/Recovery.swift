import SharingCore
import WasiStorage

/// The journals of other programs of this browser that a committer commits: changes that those
/// programs have shown but not committed (rule R28). Guarded by the committer's lock.
struct Recovery {
  /// The uncommitted journals, the oldest first. They are older than the changes of this program,
  /// so these wait for them.
  private(set) var journals: [JournaledSteps] = []
  /// Journals without a key of this program, such as those of another app at this address. They are
  /// left alone until a value has one of their keys. Nil before the journals are read.
  private var foreign: [JournaledSteps]?
  /// The clients with a journal that could not be stored.
  private var held: [UTF8Text] = []
  /// The clients with a journal that waits for another release.
  private var waiting: [UTF8Text] = []
  /// Whether the programs with journals had a second to commit them, if they still run.
  var othersHadTime = false

  /// Whether there are journals that are not stored yet.
  var isRunning: Bool { !journals.isEmpty }

  /// This program's number among the journals. It is higher than theirs, since this program's
  /// changes may depend on them.
  var order: Int { (journals.last?.order ?? 0) &+ 1 }

  // MARK: Keys

  /// Whether a journal has steps of a key.
  func has(_ key: KeyName) -> Bool { journals.contains { $0.has(key) } }

  /// Returns the number of turns of a key in the journals.
  func count(of key: KeyName) -> Int { journals.reduce(0) { $0 + $1.count(of: key) } }

  /// Returns a text with the journaled steps of a key applied, except those of another release that
  /// the coding cannot read. Runs the key's coding, so no lock is held.
  func text(_ text: [UInt8]?, of key: KeyName, _ encoded: EncodedValue) -> [UInt8]? {
    func isReadable(_ text: [UInt8]?) -> Bool {
      text.map { $0.isEmpty || encoded.coding.decodes($0) } ?? true
    }
    var text = text
    for steps in journals where steps.has(key) {
      // Where a newer release has left its copy, changes that wait have what their program showed.
      let isShown = steps.waits && !isReadable(text)
      let result =
        isShown ? steps.lastText(of: key) : steps.result(of: key, from: text, encoded)
      if isReadable(result) { text = result }
    }
    return text
  }

  /// Whether a journal that has to wait has steps of a key.
  func holds(_ key: KeyName) -> Bool { blocked.contains { $0.has(key) } }

  // MARK: Journals

  /// Whether the journals have to be read.
  var isUnread: Bool { foreign == nil }

  /// Records the journals that were read, on the first call.
  mutating func setRead(_ journals: [JournaledSteps]) {
    if foreign == nil { foreign = journals }
  }

  /// Records the journals that were read again.
  mutating func setReadAgain(_ journals: [JournaledSteps]) {
    foreign = journals + (foreign ?? []).filter { !$0.waits }
  }

  /// Selects the journals with a key of this program, and those that share a key with a selected
  /// one: all changes of a key are recovered in order.
  /// - Parameter order: The highest order of a journal to select.
  mutating func select(upTo order: Int, _ isOwn: (KeyName) -> Bool) {
    while let index = foreign?.firstIndex(where: { steps in
      steps.order <= order && steps.steps.contains { isOwn($0.key) || has($0.key) }
    }), let steps = foreign?.remove(at: index) {
      if let index = self.index(of: steps.client) {
        journals[index].add(steps)
      } else {
        insert(steps)
      }
    }
  }

  private mutating func insert(_ steps: JournaledSteps) {
    let index = journals.firstIndex { $0.order > steps.order } ?? journals.count
    journals.insert(steps, at: index)
  }

  /// The first journal that does not have to wait.
  var next: JournaledSteps? {
    let blocked = blocked
    return journals.first { steps in !blocked.contains { $0.client == steps.client } }
  }

  /// The held journals, and those that share a key with an older one that has to wait.
  private var blocked: [JournaledSteps] {
    if held.isEmpty { return [] }
    var blocked: [JournaledSteps] = []
    for steps in journals {
      let isLater = blocked.contains { $0.sharesKey(with: steps) }
      if isLater || held.contains(steps.client) { blocked.append(steps) }
    }
    return blocked
  }

  /// Holds a journal that cannot be stored now, unless another program has stored it meanwhile.
  mutating func hold(_ failed: JournaledSteps) {
    guard journal(of: failed.client)?.committedStep == failed.committedStep else { return }
    held.append(failed.client)
  }

  /// Tries the held journals again.
  mutating func releaseHeld() { held = [] }

  /// Removes a journal whose result is taken over. One of this program that has later steps stays.
  mutating func end(_ steps: JournaledSteps) {
    guard let index = index(of: steps.client) else { return }
    journals[index].committedStep = steps.lastStep
    journals[index].steps.removeAll { $0.number <= steps.lastStep }
    if journals[index].steps.isEmpty { journals.remove(at: index) }
  }

  private func index(of client: UTF8Text) -> Int? {
    journals.firstIndex { $0.client == client }
  }

  // MARK: Changes that wait for another release

  /// Adds steps of this program to its journal of changes that wait, for a client with that name.
  /// - Parameters:
  ///   - committedStep: A number before those of the steps, and after those that are stored.
  ///   - order: The order of the journal that had the steps; nil if none had them.
  mutating func add(
    _ added: [JournaledStep], of client: UTF8Text, after committedStep: Int, _ order: Int?
  ) {
    if let index = index(of: client) { return journals[index].steps += added }
    var steps = JournaledSteps()
    (steps.client, steps.waits) = (client, true)
    (steps.committedStep, steps.order) = (committedStep, order ?? self.order)
    steps.steps = added
    insert(steps)
    held.append(client)
  }

  /// Records that another program has stored steps of a client. They are shown until the stored
  /// values are known.
  mutating func noteStored(_ last: Int, of client: UTF8Text) {
    guard let index = index(of: client) else { return }
    journals[index].committedStep = last
    releaseHeld()
  }

  /// Records that a journal waits for another release.
  /// - Returns: Whether it did not before.
  mutating func beginToWait(_ steps: JournaledSteps) -> Bool {
    if waiting.contains(steps.client) { return false }
    waiting.append(steps.client)
    return true
  }

  /// Returns the steps of a client; nil if it has none.
  func journal(of client: UTF8Text) -> JournaledSteps? { index(of: client).map { journals[$0] } }
}
