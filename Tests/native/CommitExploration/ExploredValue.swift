import SharingCommits
import SharingCore
import WasiStorage

/// A value of an ``ExploredProgram``, whatever its type.
class ExploredValue: @unchecked Sendable {
  let key: ExploredKey
  /// The changes that were shown last.
  var lastShown: [Int] = []
  /// The changes of its own program.
  var own: [Int] = []
  /// The changes that may be lost.
  var losable: [Int] = []
  /// The problem that an observer has seen; nil if there is none.
  fileprivate(set) var problem: String?

  init(_ key: ExploredKey) { self.key = key }

  /// The changes that the value has now.
  var changes: [Int] { [] }
  var isSaving: Bool { false }
  var loadError: AnyError? { nil }
  var saveError: AnyError? { nil }
  /// The last revision that it has received, and the number of its turns that are not stored.
  var status: (revision: Int64, pendingCount: Int) { (0, 0) }

  func add(_ change: Int) {}
  func load() {}
  func observe() -> ObservationToken { SharingCore.observe {} }

  /// Compares the changes that are shown with the last ones.
  func note(_ shown: [Int]) {
    if let problem = problem(from: lastShown, to: shown) {
      self.problem = self.problem ?? problem
    }
    lastShown = shown
  }

  private func problem(from former: [Int], to shown: [Int]) -> String? {
    if shown.contains(-1) { return "something else is shown" }
    for change in shown where shown.filter({ $0 == change }).count > 1 {
      return "a change is shown twice: \(shown)"
    }
    for change in former where !shown.contains(change) && !losable.contains(change) {
      return "what was shown is gone: \(former), then \(shown)"
    }
    return nil
  }
}

/// A value of an ``ExploredProgram``, of one type.
final class ExploredContents<Content: ExploredContent>: ExploredValue, @unchecked Sendable {
  private let revisionKey: RevisionKey<Content>
  private let value: Shared<Content>
  private let unit: Int

  init(_ key: ExploredKey, _ initial: Content, _ revisionKey: RevisionKey<Content>, unit: Int = 1) {
    self.revisionKey = revisionKey
    self.unit = unit
    value = Shared(wrappedValue: initial, revisionKey)
    super.init(key)
  }

  override var changes: [Int] { value.wrappedValue.changes(unit) }
  override var isSaving: Bool { value.isSaving }
  override var loadError: AnyError? { value.loadError }
  override var saveError: AnyError? { value.saveError }
  override var status: (revision: Int64, pendingCount: Int) {
    let status = revisionKey.commitStatus
    return (status.revision, status.pendingCount)
  }

  /// A score is updated, so that its change can be made again. Notes merge.
  override func add(_ change: Int) {
    let unit = unit
    switch key {
    case .score: value.update { $0.add(change, unit) }
    case .notes: value.withLock { $0.add(change, unit) }
    }
  }

  override func load() { value.load() }

  override func observe() -> ObservationToken {
    SharingCore.observe { [unowned(unsafe) self] in note(value.wrappedValue.changes(unit)) }
  }
}
