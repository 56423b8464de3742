import SharingCore
import WasiStorage

/// The journals of other programs of this browser that a committer commits: changes that those
/// programs have shown but not committed (rule R28). Guarded by the committer's lock.
struct Recovery {
  enum State {
    /// No journal is under way.
    case idle
    /// A journal's commit is under way, or its own program has a second to commit it.
    case committing
    /// The first journal is stored, but its result is not taken over yet.
    case stored(JournaledSteps)
    /// No journal could be stored, or a journal's own program had its second. The next commit
    /// retries.
    case failed
  }

  var state = State.idle
  /// The uncommitted journals, the oldest first. They are older than the changes of this program,
  /// so these wait for them.
  private(set) var journals: [JournaledSteps] = []
  /// Journals without a key of this program, such as those of another app at this address. They are
  /// left alone until a value has one of their keys. Nil before the journals are read.
  private var foreign: [JournaledSteps]?
  /// The clients with a journal that could not be stored, or that waits for such a journal.
  private var held: [UTF8Text] = []
  /// The keys whose changes wait for another release: this program cannot read what is stored, or
  /// one of the changes.
  private(set) var blocked: [KeyName] = []
  /// Whether the programs with journals had time to commit them, if they still run.
  var hasWaitedForOthers = false

  /// Whether there are journals that are not stored yet.
  var isRunning: Bool { !journals.isEmpty }

  var hasFailed: Bool {
    if case .failed = state { true } else { false }
  }

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
  func text(_ text: [UInt8]?, of key: KeyName, _ coding: AnyStorageCoding) -> [UInt8]? {
    func isReadable(_ text: [UInt8]?) -> Bool {
      text.map { $0.isEmpty || coding.decodes($0) } ?? true
    }
    var text = text
    for steps in journals where steps.has(key) {
      // Where a newer release has left its copy, changes that wait have what their program showed.
      let isShown = steps.waitsForAnotherRelease && !isReadable(text)
      let result =
        isShown ? steps.lastText(of: key) : steps.result(of: key, from: text, coding)
      if isReadable(result) { text = result }
    }
    return text
  }

  /// Whether a held journal has steps of a key.
  func holds(_ key: KeyName) -> Bool {
    journals.contains { held.contains($0.client) && $0.has(key) }
  }

  // MARK: Journals

  /// Whether the journals have to be read.
  var isUnread: Bool { foreign == nil }

  /// Records the journals that were read, on the first call.
  mutating func setRead(_ journals: [JournaledSteps]) {
    if foreign == nil { foreign = journals }
  }

  /// Selects the journals with a key of this program, and those that share a key with a selected
  /// one: all changes of a key are recovered in order.
  mutating func select(_ isOwn: (KeyName) -> Bool) {
    while let index = foreign?.firstIndex(where: { steps in
      steps.steps.contains { isOwn($0.key) || has($0.key) }
    }), let steps = foreign?.remove(at: index) {
      let place = journals.firstIndex { $0.order > steps.order } ?? journals.count
      journals.insert(steps, at: place)
    }
  }

  /// Begins with the first journal, after a failure or the end of another one.
  /// - Returns: The journal; nil if none is left.
  mutating func begin() -> JournaledSteps? {
    held = []
    state = isRunning ? .committing : .idle
    return journals.first
  }

  /// Holds a journal that cannot be stored, and each later one that shares a key with a held
  /// journal.
  /// - Returns: The next journal that is not held; nil if there is none.
  mutating func hold(_ failed: JournaledSteps) -> JournaledSteps? {
    held.append(failed.client)
    for steps in journals where !held.contains(steps.client) {
      guard steps.steps.contains(where: { holds($0.key) }) else { return steps }
      held.append(steps.client)
    }
    state = .failed
    return nil
  }

  /// Lets changes of a key wait for another release.
  mutating func block(_ key: KeyName) {
    if !blocked.contains(key) { blocked.append(key) }
  }

  /// Holds a journal like ``hold(_:)``, until a program of another release commits it.
  mutating func block(_ steps: JournaledSteps) -> JournaledSteps? {
    for step in steps.steps { block(step.key) }
    return hold(steps)
  }

  /// Removes a journal whose result is taken over; of one of this program, all but the later steps.
  mutating func end(_ steps: JournaledSteps) {
    state = .idle
    blocked.removeAll { steps.has($0) }
    guard let index = journals.firstIndex(where: { $0.client == steps.client }) else { return }
    journals[index].committedStep = steps.lastStep
    journals[index].steps.removeAll { $0.number <= steps.lastStep }
    if journals[index].steps.isEmpty { journals.remove(at: index) }
  }

  // MARK: Changes that wait for another release

  /// Adds a step of this program to its journal of changes that wait, for a client with that name.
  mutating func add(_ step: JournaledStep, of client: UTF8Text) {
    if let index = journals.firstIndex(where: { $0.client == client }) {
      return journals[index].steps.append(step)
    }
    var steps = JournaledSteps()
    (steps.client, steps.committedStep, steps.order) = (client, step.number - 1, order)
    steps.steps = [step]
    journals.append(steps)
    held.append(client)
    if case .idle = state { state = .failed }
  }

  /// Adds journals of programs that run, except those that are known.
  mutating func add(_ found: [JournaledSteps]) {
    for steps in found where !journals.contains(where: { $0.client == steps.client }) {
      foreign?.removeAll { $0.client == steps.client }
      foreign?.append(steps)
    }
  }

  /// Returns the steps of a client; nil if it has none.
  func journal(of client: UTF8Text) -> JournaledSteps? { journals.first { $0.client == client } }
}
