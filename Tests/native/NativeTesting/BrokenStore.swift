import SharingCore
import SimulatedRevisions
import WasiStorage

/// The defect of a ``BrokenStore``.
package enum StoreDefect: Sendable {
  case none
  /// Its stamp never changes.
  case stampless
  /// It reports success without storing.
  case lying
  /// It stores half of the bytes.
  case cutting
  /// It ignores removals.
  case keeping
  /// It returns the first bytes that it has read.
  case caching
  /// It sends no notifications of changes by others.
  case deaf
}

/// A store that forwards everything to another one, with a defect.
package final class BrokenStore: SlotlessStore, @unchecked Sendable {
  private let base: any KeyValueStore
  private let defect: StoreDefect
  private var first: [KeyName: [UInt8]?] = [:]

  package init(_ base: any KeyValueStore, _ defect: StoreDefect) {
    (self.base, self.defect) = (base, defect)
  }

  package func stamp(of key: KeyName) -> Int32 {
    defect == .stampless ? 1 : base.slot(for: key).stamp()
  }

  package func read(_ key: KeyName) throws(StorageError) -> [UInt8]? {
    let now = try base.bytes(for: key)
    guard defect == .caching else { return now }
    if let old = first[key] { return old }
    first[key] = .some(now)
    return now
  }

  package func replace(_ key: KeyName, by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    let slot = base.slot(for: key)
    switch defect {
    case .stampless:
      _ = try slot.replace(by: bytes)
      return 1
    case .lying where bytes != nil: return 0
    case .keeping where bytes == nil: return 0
    case .cutting: return try slot.replace(by: bytes.map { Array($0.prefix(max(1, $0.count / 2))) })
    default: return try slot.replace(by: bytes)
    }
  }

  package func follow(
    _ key: KeyName, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    defect == .deaf ? SharedSubscription {} : base.subscribe(to: key, onChange)
  }
}
