import SharingCommits
import SharingCore
import WasiStorage

/// Returns the rules of every ``SharingCommits/RevisionStore`` (rule R31) that a store of your own
/// breaks; empty if it passes.
///
/// ```swift
/// @Test func contract() {
///   #expect(contractFailures(of: MyStore(inEmptyFolder)).isEmpty)
/// }
/// ```
/// - Parameters:
///   - store: An empty store.
///   - wait: Returns when `isAnswered` returns true; for a store that answers later.
public func contractFailures(
  of store: any RevisionStore, wait: @escaping (_ isAnswered: () -> Bool) -> Void = { _ in }
) -> [UTF8Text] {
  var contract = RevisionStoreContract(store: store, wait: wait)
  contract.check()
  return contract.failures
}

private struct RevisionStoreContract {
  let store: any RevisionStore
  let wait: (_ isAnswered: () -> Bool) -> Void
  var failures: [UTF8Text] = []

  mutating func check() {
    let (one, two) = (KeyName("one"), KeyName("/../two ü\"\n"))
    expect(load(one) == StoredRevision(key: one), "a key that was never stored has revision 0")

    let first = commit("a", 0, 1, [CommitEntry(key: one, expected: 0, bytes: text("1"))])
    let revision = load(one).revision
    expect(first.isAccepted && revision > 0 && load(one).bytes == text("1"), "a commit is stored")

    let again = commit("a", 0, 1, [CommitEntry(key: one, expected: 0, bytes: text("1"))])
    expect(
      again.isAccepted && load(one).revision == revision, "a commit that comes twice is stored once"
    )

    let stale = commit("b", 0, 1, [CommitEntry(key: one, expected: 0, bytes: text("2"))])
    expect(
      stale.isConflict(revision, 0) && load(one).bytes == text("1"),
      "a commit that was made from an older revision is a conflict")

    let both = [
      CommitEntry(key: two, expected: 0, bytes: text("x")),
      CommitEntry(key: one, expected: 0, bytes: text("2")),
    ]
    expect(
      commit("b", 0, 1, both).isConflict && load(two) == StoredRevision(key: two),
      "of a commit with a conflict, nothing is stored")

    let unknown = commit("b", 0, 1, [CommitEntry(key: two, expected: -1, bytes: text("x"))])
    expect(unknown.isConflict, "a commit that was made from an unknown revision is a conflict")

    let twice = [
      CommitEntry(key: one, expected: revision, bytes: text("3")),
      CommitEntry(key: two, expected: nil, bytes: []),
    ]
    expect(
      commit("b", 0, 2, twice).isAccepted && load(one).bytes == text("3") && load(two).bytes == [],
      "several keys are stored together, and an empty value is stored")

    let late = commit("b", 0, 3, [CommitEntry(key: one, expected: -1, bytes: text("4"))])
    expect(late.isConflict(load(one).revision, 2), "a conflict names the client's last step")

    let removal = load(one).revision
    _ = commit("a", 1, 2, [CommitEntry(key: one, expected: removal, bytes: nil)])
    let removed = load(one)
    expect(removed.bytes == nil && removed.revision > removal, "a removed value has a revision")

    let large = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
    _ = commit("a", 2, 3, [CommitEntry(key: one, expected: removed.revision, bytes: large)])
    expect(
      load(one).bytes == large && load(one).revision > removed.revision,
      "a value that is stored again has a new revision")

    checkRebase(one)
    checkWatching(one)
  }

  private mutating func checkRebase(_ key: KeyName) {
    let before = load(key)
    let answer = commit("c", 0, 1, [CommitEntry(key: key, expected: 0, bytes: text("5"))]) {
      (stored, applied) in
      [CommitEntry(key: key, expected: stored[0].revision, bytes: UTF8Text("6").bytes)]
    }
    expect(
      answer.isConflict || load(key).bytes == text("6"), "the entries of a rebase are stored")
    let refused = commit("d", 0, 1, [CommitEntry(key: key, expected: 0, bytes: text("7"))])
    expect(
      refused.isConflict && load(key).bytes != text("7"),
      "a commit without a rebase is a conflict and is not stored")
    expect(load(key).revision >= before.revision, "revisions never go back")
  }

  private mutating func checkWatching(_ key: KeyName) {
    let received = Received()
    let subscription = store.watch {
      if case .success(let stored) = $0 { received.record(stored.last { $0.key == key }) }
    }
    let before = load(key)
    _ = commit("e", 0, 1, [CommitEntry(key: key, expected: before.revision, bytes: text("8"))])
    let heard = received.value
    expect(heard == nil || heard == load(key), "a reported change is the stored value")
    subscription.cancel()
  }

  private mutating func expect(_ condition: Bool, _ what: UTF8Text) {
    if !condition { failures.append(what) }
  }

  private func text(_ text: StaticString) -> [UInt8] { UTF8Text(stringLiteral: text).bytes }

  private func load(_ key: KeyName) -> StoredRevision {
    let answer = Received()
    store.load([key], client: "none") { answer.record((try? $0.get())?.revisions.first) }
    wait { answer.value != nil }
    return answer.value ?? StoredRevision(key: key, revision: -1)
  }

  private func commit(
    _ client: UTF8Text, _ after: Int, _ through: Int, _ entries: [CommitEntry],
    rebase: @escaping Rebase = { _, _ in nil }
  ) -> CommitAnswer {
    let answer = Received()
    let commit = Commit(client: client, after: after, through: through, entries: entries)
    store.commit(commit, rebase: rebase) { answer.record($0) }
    wait { answer.answer != nil }
    return answer.answer ?? .failed(StorageError(.other, key: nil, "The store has not answered."))
  }
}

extension CommitAnswer {
  fileprivate var isAccepted: Bool {
    if case .accepted = self { true } else { false }
  }

  fileprivate var isConflict: Bool {
    if case .conflict = self { true } else { false }
  }

  fileprivate func isConflict(_ revision: Int64, _ applied: Int) -> Bool {
    guard case .conflict(let stored, applied) = self else { return false }
    return stored.last?.revision == revision
  }
}

/// An answer of a store.
private final class Received: @unchecked Sendable {
  private let lock = Lock()
  private(set) var value: StoredRevision?
  private(set) var answer: CommitAnswer?

  func record(_ value: StoredRevision?) {
    lock.withLock { self.value = value }
  }

  func record(_ answer: CommitAnswer) {
    lock.withLock { self.answer = answer }
  }
}
