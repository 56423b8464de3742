import SharingCore

/// A store that records writes, so that a test can assert the exact bytes.
///
/// ```swift
/// let store = RecordingStore()
/// prepareSharing { $0.stores.local = store }
/// SharedChangeTracker().track {
///   model.incrementButtonTapped()
///   $count.assert { $0 = 1 }
///   store.assert(.set("count", "1"))
/// }
/// ```
/// In the scope of a ``SharingCore/SharedChangeTracker``, a write that is not asserted is a
/// failure.
public final class RecordingStore: KeyValueStore, @unchecked Sendable {
  private let base: any KeyValueStore
  private let lock = Lock()
  private var unasserted: [Write] = []

  /// A store that records the writes to another store.
  /// - Parameter base: The store that is read and written; a new store in memory by default. Direct
  ///   writes to it, as by another program, are not recorded.
  public init(over base: any KeyValueStore = MemoryStore()) {
    self.base = base
  }

  /// The writes that are not asserted yet, in order.
  public var writes: [Write] { lock.withLock { unasserted } }

  /// Asserts the writes since the last assertion: exactly these, in this order.
  ///
  /// ```swift
  /// store.assert(.set("draft", #"{"title":"Milk"}"#), .remove("undo"))
  /// store.assert()  // nothing
  /// ```
  public func assert(_ expected: Write..., fileID: StaticString = #fileID, line: UInt = #line) {
    let actual = take()
    guard actual != expected else { return }
    let site = CallSite(fileID: fileID, line: line)
    SharedChangeTracker.report(
      SharingIssue(
        """
        The writes differ from the asserted ones.

        expected:\(Self.text(of: expected))

        actual:\(Self.text(of: actual))
        """, at: site))
  }

  /// Skips the writes until now.
  public func skipWrites() {
    _ = take()
  }

  private func take() -> [Write] {
    lock.withLock {
      defer { unasserted = [] }
      return unasserted
    }
  }

  fileprivate func record(_ write: Write) {
    lock.withLock { unasserted.append(write) }
    SharedChangeTracker.include(self)
  }

  private static func text(of writes: [Write]) -> UTF8Text {
    if writes.isEmpty { return "\n    nothing" }
    var text: UTF8Text = ""
    for write in writes { text += "\n    \(write.text)" }
    return text
  }
}

extension RecordingStore {
  /// One write to a store.
  public struct Write: Equatable, Sendable {
    /// The written key.
    public let key: KeyName
    /// The stored bytes; nil if the key was removed.
    public let bytes: [UInt8]?

    /// A write of bytes.
    public static func set(_ key: KeyName, _ bytes: [UInt8]) -> Write {
      Write(key: key, bytes: bytes)
    }

    /// A write of text.
    public static func set(_ key: String, _ text: UTF8Text) -> Write {
      Write(key: KeyName(key), bytes: text.bytes)
    }

    /// The removal of a key.
    public static func remove(_ key: String) -> Write {
      Write(key: KeyName(key), bytes: nil)
    }

    /// The key and the bytes as text.
    var text: UTF8Text {
      if let bytes { "\(key) = \(UTF8Text(bytes))" } else { "\(key) removed" }
    }
  }
}

extension RecordingStore {
  /// The other store's slot, whose writes are recorded.
  public func slot(for key: KeyName) -> any StoreSlot {
    RecordingSlot(base.slot(for: key), key, self)
  }
}

extension RecordingStore: TrackedObject {
  package var hasUnasserted: Bool { !writes.isEmpty }

  package var unassertedIssue: SharingIssue {
    SharingIssue(
      """
      Writes to a store were not asserted:\(Self.text(of: writes))

      Assert them with 'store.assert(.set(…))', or skip them with 'store.skipWrites()'.
      """)
  }

  package func skipUnasserted() {
    skipWrites()
  }
}

private final class RecordingSlot: StoreSlot {
  private let base: any StoreSlot
  private let key: KeyName
  private let store: RecordingStore

  init(_ base: any StoreSlot, _ key: KeyName, _ store: RecordingStore) {
    self.base = base
    self.key = key
    self.store = store
  }

  func stamp() -> Int32 { base.stamp() }

  func read() throws(StorageError) -> (bytes: [UInt8]?, stamp: Int32) { try base.read() }

  func replace(by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    let stamp = try base.replace(by: bytes)
    store.record(RecordingStore.Write(key: key, bytes: bytes))
    return stamp
  }

  func subscribe(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    base.subscribe(onChange)
  }
}
