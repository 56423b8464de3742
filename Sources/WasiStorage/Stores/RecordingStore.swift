import SharingCore

/// A store that remembers what was written, so that a test can assert the very bytes.
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
/// In the scope of a ``SharedChangeTracker``, what was written and not asserted is a failure.
public final class RecordingStore: KeyValueStore, @unchecked Sendable {
  private let base: any KeyValueStore
  private let lock = Lock()
  private var unasserted: [Write] = []

  /// A store that remembers what is written to another one.
  /// - Parameter base: Where everything goes to and comes from; a new store in memory by default. What
  ///   is written there directly, as by another program, is not remembered.
  public init(over base: any KeyValueStore = MemoryStore()) {
    self.base = base
  }

  /// What was written and has not been asserted, in order.
  public var writes: [Write] { lock.withLock { unasserted } }

  /// Asserts what was written since the last assertion: this, in this order, and nothing else.
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
        Other than asserted was written.

        expected:\(Self.text(of: expected))

        actual:\(Self.text(of: actual))
        """, at: site))
  }

  /// Skips what was written until now.
  public func skipWrites() {
    _ = take()
  }

  private func take() -> [Write] {
    lock.withLock {
      defer { unasserted = [] }
      return unasserted
    }
  }

  private func note(_ write: Write) {
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
  /// One change of a store.
  public struct Write: Equatable, Sendable {
    /// The key that was written.
    public let key: KeyName
    /// The bytes that were stored; nil when the key was removed.
    public let bytes: [UInt8]?

    /// Bytes that were stored under a key.
    public static func set(_ key: KeyName, _ bytes: [UInt8]) -> Write {
      Write(key: key, bytes: bytes)
    }

    /// Text that was stored under a key.
    public static func set(_ key: String, _ text: UTF8Text) -> Write {
      Write(key: KeyName(key), bytes: text.bytes)
    }

    /// A key that was removed.
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
  /// The bytes that are stored under a key.
  public func bytes(for key: KeyName) throws(StorageError) -> [UInt8]? {
    try base.bytes(for: key)
  }

  /// Stores bytes under a key, and remembers them if that has worked.
  public func set(_ bytes: [UInt8], for key: KeyName) throws(StorageError) {
    _ = try item(for: key).replace(by: bytes)
  }

  /// Removes a key, and remembers it if that has worked.
  public func remove(_ key: KeyName) throws(StorageError) {
    _ = try item(for: key).replace(by: nil)
  }

  /// The other store's item, of which is remembered what is written.
  public func item(for key: KeyName) -> any StoreItem {
    RecordingItem(over: base.item(for: key)) { self.note(Write(key: key, bytes: $0)) }
  }

  /// Follows the other store.
  public func subscribe(
    to key: KeyName, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    base.subscribe(to: key, onChange)
  }
}

extension RecordingStore: TrackedObject {
  package var hasUnasserted: Bool { !writes.isEmpty }

  package var unassertedIssue: SharingIssue {
    SharingIssue(
      """
      What was written to a store was not asserted:\(Self.text(of: writes))

      Assert it with 'store.assert(.set(…))', or skip it with 'store.skipWrites()'.
      """)
  }

  package func skipUnasserted() {
    skipWrites()
  }
}

/// An item of such a store, as fast as that of the other store.
private final class RecordingItem: StoreItem {
  private let base: any StoreItem
  private let note: @Sendable (_ bytes: [UInt8]?) -> Void

  init(over base: any StoreItem, _ note: @escaping @Sendable ([UInt8]?) -> Void) {
    self.base = base
    self.note = note
  }

  func stamp() -> Int32 { base.stamp() }

  func read() throws(StorageError) -> (bytes: [UInt8]?, stamp: Int32) { try base.read() }

  func replace(by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    let stamp = try base.replace(by: bytes)
    note(bytes)
    return stamp
  }

  func subscribe(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    base.subscribe(onChange)
  }
}
