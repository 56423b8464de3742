import SharingCore
import WasiStorage

/// A store that records writes, so that a test can assert the exact bytes.
///
/// ```swift
/// let store = RecordingStore()
/// prepareSharing { $0.stores.local = store }
/// SharedChangeTracker().track {
///   model.incrementButtonTapped()
///   $count.assert { $0 = 1 }
///   store.assert("count = 1")
/// }
/// ```
/// In the scope of a ``SharingCore/SharedChangeTracker``, a write that is not asserted is a
/// failure.
public final class RecordingStore: KeyValueStore, @unchecked Sendable {
  private let base: any KeyValueStore
  private let lock = Lock()
  private var unasserted: [UTF8Text] = []

  /// A store that records the writes to another store.
  /// - Parameter base: The store that is read and written; a new store in memory by default. Direct
  ///   writes to it, as by another program, are not recorded.
  public init(over base: any KeyValueStore = MemoryStore()) {
    self.base = base
  }

  /// The writes that are not asserted yet, in order: `count = 1`, or `count removed`.
  package var writes: [UTF8Text] { lock.withLock { unasserted } }

  /// Asserts the writes since the last assertion: exactly these, in this order.
  ///
  /// ```swift
  /// store.assert(#"draft = {"title":"Milk"}"#, "undo removed")
  /// store.assert()  // nothing
  /// ```
  public func assert(_ expected: UTF8Text..., fileID: StaticString = #fileID, line: UInt = #line) {
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

  private func take() -> [UTF8Text] {
    lock.withLock {
      defer { unasserted = [] }
      return unasserted
    }
  }

  fileprivate func record(_ write: UTF8Text) {
    lock.withLock { unasserted.append(write) }
    SharedChangeTracker.include(self)
  }

  private static func text(of writes: [UTF8Text]) -> UTF8Text {
    if writes.isEmpty { return "\n    nothing" }
    var text: UTF8Text = ""
    for write in writes { text += "\n    \(write)" }
    return text
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

      Assert them with 'store.assert("count = 1")'.
      """)
  }

  package func skipUnasserted() {
    _ = take()
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
    if let bytes {
      store.record("\(key) = \(UTF8Text(bytes))")
    } else {
      store.record("\(key) removed")
    }
    return stamp
  }

  func subscribe(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    base.subscribe(onChange)
  }
}
