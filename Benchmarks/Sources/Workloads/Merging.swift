import SharingCommits
import SharingCommits
import SharingCore
import WasiStorage

extension Workload {
  /// A list in a revision store. Before each change, another program stores a change: of another
  /// element of the list, so that both changes merge, or of another key.
  static let merging = [1000, 4000, 8000].flatMap { count in
    [
      commit(mergeNames[count]!, count, rival: "todos"),
      commit(plainNames[count]!, count, rival: "others"),
    ]
  }

  private static let mergeNames: [Int: StaticString] = [
    1000: "toggle one of 1,000 todos where another program was first",
    4000: "toggle one of 4,000 todos where another program was first",
    8000: "toggle one of 8,000 todos where another program was first",
  ]

  private static let plainNames: [Int: StaticString] = [
    1000: "toggle one of 1,000 todos and commit it",
    4000: "toggle one of 4,000 todos and commit it",
    8000: "toggle one of 8,000 todos and commit it",
  ]

  private static func commit(_ name: StaticString, _ count: Int, rival key: KeyName) -> Workload {
    Workload(name) {
      let store = UnheardStore()
      let rival = Rival(store, key, StoredTodo.list(of: count))
      let todos = Shared<[StoredTodo]>(wrappedValue: [], .revisions("todos", in: store))
      let todo = todos[id: count / 2]!
      return {
        for _ in 0..<$0 {
          rival.changeLast()
          todo.withLock { $0.completed.toggle() }
        }
        precondition(todos.saveError == nil && !todos.isSaving, "the store does not keep it")
      }
    }
  }
}

/// Another program, which changes a letter in the title of the last todo.
private final class Rival: Sendable {
  private let store: UnheardStore
  private let key: KeyName

  /// Stores a list under `todos`, and under the key.
  init(_ store: UnheardStore, _ key: KeyName, _ list: [StoredTodo]) {
    self.store = store
    self.key = key
    let text = try! JSON.encode(list)
    for each in ["todos", key] { store.set(each, to: text) }
  }

  func changeLast() {
    var text = store.stored(key).bytes!
    // The end of the text is `9","completed":false}]`, or `true`.
    let title = text.lastIndex(of: UInt8(ascii: ",")).map { $0 - 2 }!
    text[title] ^= 1
    store.set(key, to: text)
  }
}

/// A store in memory that notifies nobody, so that its one program makes its changes on old values.
private final class UnheardStore: RevisionStore, @unchecked Sendable {
  private var records: [StoredRevision] = []
  private var lastStep: Int?

  func stored(_ key: KeyName) -> StoredRevision {
    records.first { $0.key == key } ?? StoredRevision(key: key)
  }

  func set(_ key: KeyName, to bytes: [UInt8]?) {
    let revision = stored(key).revision + 1
    records.removeAll { $0.key == key }
    records.append(StoredRevision(key: key, revision: revision, bytes: bytes))
  }

  func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    done(.success(StoredSnapshot(keys.map { stored($0) }, applied: lastStep)))
  }

  func commit(
    _ commit: Commit, rebase: @escaping Rebase, _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    let now = commit.entries.map { stored($0.key) }
    for (entry, stored) in zip(commit.entries, now)
    where entry.expected ?? stored.revision != stored.revision {
      return done(.conflict(now, applied: lastStep ?? commit.after))
    }
    for entry in commit.entries { set(entry.key, to: entry.bytes) }
    lastStep = commit.through
    done(.accepted(commit.entries.map { stored($0.key) }, applied: commit.through))
  }

  func watch(_ onChange: @escaping @Sendable (StoreChanges) -> Void) -> SharedSubscription {
    SharedSubscription {}
  }
}
