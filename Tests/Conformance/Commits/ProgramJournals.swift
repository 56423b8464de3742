import SharingCore
import WasiStorage

/// What a program writes at once: its journal and copies, in a store that all programs share.
///
/// The names of clients are drawn at random: here they are listed in the order in which they were
/// first used, so that a schedule always does the same.
final class ProgramJournals: ListedStore, @unchecked Sendable {
  private let program: Program
  private let shared: Journals

  init(_ program: Program, _ shared: Journals) {
    self.program = program
    self.shared = shared
  }

  func keys() -> [KeyName] { shared.names() }

  func slot(for key: KeyName) -> any StoreSlot {
    ProgramSlot(program, shared, key)
  }
}

/// The journals and copies of some programs.
final class Journals: @unchecked Sendable {
  let store = MemoryStore()
  private var order: [KeyName] = []
  /// Whether there is no room for more.
  var isFull = false

  func keys() -> [KeyName] { store.keys() }

  func clear() {
    for key in store.keys() { store.remove(key) }
  }

  func set(_ bytes: [UInt8], for key: KeyName) { store.set(bytes, for: key) }

  func note(_ key: KeyName) {
    if !order.contains(key) { order.append(key) }
  }

  fileprivate func names() -> [KeyName] {
    let names = store.keys()
    return order.filter { names.contains($0) } + names.filter { !order.contains($0) }
  }
}

private final class ProgramSlot: StoreSlot, @unchecked Sendable {
  private let program: Program
  private let shared: Journals
  private let key: KeyName

  init(_ program: Program, _ shared: Journals, _ key: KeyName) {
    self.program = program
    self.shared = shared
    self.key = key
  }

  func read() -> (bytes: [UInt8]?, stamp: Int32) { (shared.store.bytes(for: key), 0) }

  func replace(by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    guard program.isRunning else { return 0 }
    let isJournal = key.isJournal
    if isJournal, case .journaling = program.death {
      program.death = .journaled
      program.isRunning = false
      return 0
    }
    if bytes != nil, shared.isFull {
      if isJournal { program.lacksJournal = true }
      throw StorageError(.quotaExceeded, key: key, "as the schedule wants it")
    }
    if isJournal { program.lacksJournal = false }
    shared.note(key)
    if let bytes { shared.store.set(bytes, for: key) } else { shared.store.remove(key) }
    return 0
  }

  func subscribe(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    SharedSubscription {}
  }
}

extension KeyName {
  /// Whether a program keeps there what is not committed.
  var isJournal: Bool { bytes.starts(with: UTF8Text("sharing.journal.").bytes) }
}
