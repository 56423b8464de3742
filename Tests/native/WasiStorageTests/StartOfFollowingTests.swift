import Conformance
import Foundation
import SharingCommits
import SharingCore
import SimulatedRevisions
import Testing
import WasiStorage

/// Another program's change after the load of a value, just before the value is followed.
@Suite struct StartOfFollowingTests {
  @Test func aStoredValueShowsIt() {
    let memory = MemoryStore()
    let store = LateFollowedStore(memory) { memory.set(Array("5".utf8), for: KeyName("count")) }
    let environment = SharingEnvironment()
    environment.stores.local = store
    let count = environment.run { Shared(wrappedValue: 0, .localStorage("count")) }
    #expect(count.wrappedValue == 5)
  }

  @Test func aValueInAFolderOfRevisionsShowsIt() {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let makeStore = {
      FolderRevisionStore(folder: UTF8Text(folder.path), following: .always)
    }
    let other = SharingEnvironment()
    let theirs = other.run { Shared(wrappedValue: 0, .revisions("count", in: makeStore())) }
    let store = LateWatchedStore(makeStore()) { other.run { theirs.update { $0 += 1 } } }
    let count = SharingEnvironment().run { Shared(wrappedValue: 0, .revisions("count", in: store)) }
    #expect(theirs.wrappedValue == 1)
    #expect(count.wrappedValue == 1)
  }
}

/// A store in which another program changes something before a key is followed.
private final class LateFollowedStore: SlotlessStore {
  private let memory: MemoryStore
  private let beforeFollowing: @Sendable () -> Void

  init(_ memory: MemoryStore, _ beforeFollowing: @escaping @Sendable () -> Void) {
    (self.memory, self.beforeFollowing) = (memory, beforeFollowing)
  }

  func stamp(of key: KeyName) -> Int32 { 0 }

  func read(_ key: KeyName) throws(StorageError) -> [UInt8]? { memory.bytes(for: key) }

  func replace(_ key: KeyName, by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    try memory.slot(for: key).replace(by: bytes)
  }

  func follow(_ key: KeyName, _ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    beforeFollowing()
    return memory.subscribe(to: key, onChange)
  }
}

/// A revision store in which another program changes something before it is watched.
private final class LateWatchedStore: ForwardingStore {
  let base: FolderRevisionStore
  private let beforeWatching: @Sendable () -> Void

  init(_ base: FolderRevisionStore, _ beforeWatching: @escaping @Sendable () -> Void) {
    (self.base, self.beforeWatching) = (base, beforeWatching)
  }

  func watch(_ onChange: @escaping @Sendable (StoreChanges) -> Void) -> SharedSubscription {
    beforeWatching()
    return base.watch(onChange)
  }
}
