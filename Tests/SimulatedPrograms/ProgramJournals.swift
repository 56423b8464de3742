import SharingCommits
import SharingCore
import SimulatedRevisions
import WasiStorage

/// The immediate writes of a program: its journal and copies, in a store that all programs share.
package final class ProgramJournals: ListedStore, @unchecked Sendable {
  private let program: Program
  private let shared: SimulatedJournals

  package init(_ program: Program, _ shared: SimulatedJournals) {
    self.program = program
    self.shared = shared
  }

  package func keys() -> [KeyName] {
    shared.uses.insert(.readsJournals)
    return shared.names
  }

  package func slot(for key: KeyName) -> any StoreSlot {
    ProgramSlot(program, shared, key)
  }
}

private final class ProgramSlot: StoreSlot, @unchecked Sendable {
  private let program: Program
  private let shared: SimulatedJournals
  private let key: KeyName

  init(_ program: Program, _ shared: SimulatedJournals, _ key: KeyName) {
    self.program = program
    self.shared = shared
    self.key = key
  }

  func read() -> (bytes: [UInt8]?, stamp: Int32) {
    shared.uses.insert(key.isJournal ? .readsJournals : .readsOthers)
    return (shared.store.bytes(for: key), 0)
  }

  func replace(by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    guard program.isRunning, !endsBeforeWriting() else { return 0 }
    let isJournal = key.isJournal
    if isJournal, bytes == nil { shared.willRemove() }
    if isJournal, case .journaling = program.connection.death {
      program.connection.death = .journaled
      program.connection.isRunning = false
      return 0
    }
    guard shared.hasRoom(for: bytes, under: key) else {
      program.note(key, isStored: false)
      throw StorageError(.quotaExceeded, key: key, "as the schedule wants it")
    }
    program.note(key, isStored: true)
    shared.replace(key, by: bytes)
    if !isJournal, !shared.isDeaf { shared.hub.notify(key) }
    return 0
  }

  private func endsBeforeWriting() -> Bool {
    guard let left = shared.writesUntilEnd, program.connection.owner == 0 else { return false }
    shared.writesUntilEnd = left - 1
    if left == 0 { program.connection.isRunning = false }
    return left == 0
  }

  /// Other programs' writes of the item arrive as messages.
  func subscribe(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    shared.hub.subscribe(to: key) { [program] in
      program.connection.receive(onChange)
    }
  }
}
