import SharingCore
import WasiStorage

/// What is wrong with ``BrokenJournals``.
enum JournalDefect: CaseIterable, Sendable {
  /// Journals are not stored.
  case lost
  /// A journal that is removed stays.
  case kept
  /// No journal is listed.
  case unlisted
  /// Each journal is listed twice, under the names of two clients.
  case doubled
  /// The first journal of a client is read in place of its last one.
  case outdated
}

/// The journals and copies of a program, with a defect.
final class BrokenJournals: KeyedStore, ListedStore, @unchecked Sendable {
  private let base: any ListedStore
  private let defect: JournalDefect?
  private let first: FirstJournals

  init(_ base: any ListedStore, _ defect: JournalDefect?, _ first: FirstJournals) {
    (self.base, self.defect, self.first) = (base, defect, first)
  }

  func keys() throws(StorageError) -> [KeyName] {
    let keys = try base.keys()
    return switch defect {
    case .unlisted: keys.filter { !isJournal($0) }
    case .doubled: keys + keys.filter { isJournal($0) }.map { KeyName("\($0)\(Self.twin)") }
    default: keys
    }
  }

  func stamp(of key: KeyName) -> Int32 { 0 }

  func read(_ key: KeyName) throws(StorageError) -> [UInt8]? {
    let last = try base.bytes(for: original(of: key))
    return defect == .outdated && last != nil ? first.journals[key] ?? last : last
  }

  func replace(_ key: KeyName, by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    guard isJournal(key) else { return try base.slot(for: key).replace(by: bytes) }
    if defect == .lost, bytes != nil { return 0 }
    if defect == .kept, bytes == nil { return 0 }
    if let bytes, first.journals[key] == nil { first.journals[key] = bytes }
    return try base.slot(for: original(of: key)).replace(by: bytes)
  }

  func follow(
    _ key: KeyName, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    base.subscribe(to: key, onChange)
  }

  private static let twin = "-twin"

  private func isJournal(_ key: KeyName) -> Bool { "\(key)".hasPrefix("sharing.journal") }

  private func original(of key: KeyName) -> KeyName {
    let name = "\(key)"
    return name.hasSuffix(Self.twin) ? KeyName(String(name.dropLast(Self.twin.count))) : key
  }
}

/// The first journal of each client.
final class FirstJournals: @unchecked Sendable {
  var journals: [KeyName: [UInt8]] = [:]
}

/// A clock that forgets what it is to call.
final class StoppedClock: SaveClock {
  func call(after milliseconds: Int, _ action: @escaping @Sendable () -> Void) -> Bool { true }
  func callAll() {}
}
