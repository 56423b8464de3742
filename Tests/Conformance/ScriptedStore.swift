import SharingCore
import SimulatedRevisions
import WasiStorage

/// A double in front of a real store: it counts writes, and on demand fails or sends notifications
/// of changes.
final class ScriptedStore: SlotlessStore, @unchecked Sendable {
  private let base: any KeyValueStore
  private let hub = ChangeHub()
  /// The number of writes and removals.
  private(set) var writeCount = 0
  /// The error of the next writes, until it is nil again.
  var failure: StorageError.Reason?
  /// The number of successful writes before one fails: 0 means that the next one fails.
  var writesUntilFailure: Int?
  /// The error of the next reads, until it is nil again.
  var readFailure: StorageError.Reason?
  /// Called during a read, after the store has found the bytes.
  var onRead: () -> Void = {}
  /// The number of reads that will fail.
  var failingReads = 0

  init(over base: any KeyValueStore) {
    self.base = base
  }

  /// Returns a second store over the same bytes, as for another program.
  func sibling() -> ScriptedStore {
    ScriptedStore(over: base)
  }

  /// Whether the store has stamps, as in a page, also if the host's store has none.
  var hasStamps = false
  /// The number of reads.
  private(set) var readCount = 0
  /// Called before a write, for accesses by another thread.
  var beforeWrite: () -> Void = {}
  /// Called during a write, when the store sends its notification.
  var onWrite: () -> Void = {}
  private var stamps: [(key: KeyName, bytes: [UInt8]?, stamp: Int32)] = []
  private var lastStamp: Int32 = 0

  func read(_ key: KeyName) throws(StorageError) -> [UInt8]? {
    readCount += 1
    if failingReads > 0 {
      failingReads -= 1
      throw StorageError(.denied, key: key, "as the case wants it")
    }
    if let readFailure { throw StorageError(readFailure, key: key, "as the case wants it") }
    let bytes = try base.bytes(for: key)
    onRead()
    return bytes
  }

  func follow(
    _ key: KeyName, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    hub.subscribe(to: key, onChange)
  }

  func stamp(of key: KeyName) -> Int32 {
    if failingReads > 0 || readFailure != nil { return 0 }
    guard hasStamps else { return base.slot(for: key).stamp() }
    guard let bytes = try? base.bytes(for: key) else { return 0 }
    return stamp(of: bytes, under: key)
  }

  func replace(_ key: KeyName, by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    beforeWrite()
    try fail(key)
    writeCount += 1
    let baseStamp = try base.slot(for: key).replace(by: bytes)
    let stamp = hasStamps ? stamp(of: bytes, under: key) : baseStamp
    onWrite()
    return stamp
  }

  private func stamp(of bytes: [UInt8]?, under key: KeyName) -> Int32 {
    if let known = stamps.last(where: { $0.key == key }), known.bytes == bytes {
      return known.stamp
    }
    lastStamp += 1
    stamps.append((key, bytes, lastStamp))
    return lastStamp
  }

  /// Delivers the event that the key, or everything if it is nil, has changed in another program.
  func notify(_ key: String?) {
    hub.notify(key.map { KeyName($0) })
  }

  /// Stores bytes, like another program.
  func put(_ bytes: [UInt8], for key: String) {
    try? base.set(bytes, for: KeyName(key))
  }

  /// Returns the stored bytes of a key.
  func bytes(of key: String) -> [UInt8]? {
    (try? base.bytes(for: KeyName(key))) ?? nil
  }

  /// The stored text of a key.
  subscript(key: String) -> String? {
    get {
      let bytes = (try? base.bytes(for: KeyName(key))) ?? nil
      return bytes.map { String(decoding: $0, as: UTF8.self) }
    }
    set {
      let name = KeyName(key)
      if let newValue {
        try? base.set(Array(newValue.utf8), for: name)
      } else {
        try? base.remove(name)
      }
    }
  }

  private func fail(_ key: KeyName) throws(StorageError) {
    if let count = writesUntilFailure {
      writesUntilFailure = count == 0 ? nil : count - 1
      if count == 0 { throw StorageError(.quotaExceeded, key: key, "as the case wants it") }
    }
    if let failure { throw StorageError(failure, key: key, "as the case wants it") }
  }
}
