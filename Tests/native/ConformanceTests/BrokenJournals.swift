import SharingCommits
import SharingCore
import SimulatedRevisions
import WasiStorage

/// The defect of ``BrokenJournals``.
enum JournalDefect: CaseIterable, Sendable {
  /// Journals are not stored.
  case lost
  /// A removed journal stays.
  case kept
  /// Listings are empty.
  case unlisted
  /// Each journal is listed twice, under the names of two clients.
  case doubled
  /// The first journal of a client is read in place of its last one.
  case outdated
}

/// The journals and copies of a program, with a defect.
final class BrokenJournals: SlotlessStore, ListedStore, @unchecked Sendable {
  private let base: any ListedStore
  private let defect: JournalDefect?
  private let first: FirstJournals

  init(_ base: any ListedStore, _ defect: JournalDefect?, _ first: FirstJournals) {
    (self.base, self.defect, self.first) = (base, defect, first)
  }

  func keys() throws(StorageError) -> [KeyName] {
    let keys = try base.keys()
    return switch defect {
    case .unlisted: keys.filter { !$0.isJournal }
    case .doubled: keys + keys.filter { $0.isJournal }.map { twin(of: $0) }
    default: keys
    }
  }

  func stamp(of key: KeyName) -> Int32 { 0 }

  func read(_ key: KeyName) throws(StorageError) -> [UInt8]? {
    let last = try base.bytes(for: original(of: key))
    guard defect == .outdated, last != nil, let entry = key.journalEntry else { return last }
    return first.journals["\(entry.client)"] ?? last
  }

  func replace(_ key: KeyName, by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    guard let entry = key.journalEntry else { return try base.slot(for: key).replace(by: bytes) }
    if defect == .lost, bytes != nil { return 0 }
    if defect == .kept, bytes == nil { return 0 }
    let client = "\(entry.client)"
    if let bytes, first.journals[client] == nil { first.journals[client] = bytes }
    return try base.slot(for: original(of: key)).replace(by: bytes)
  }

  func follow(
    _ key: KeyName, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    base.subscribe(to: key, onChange)
  }

  private static let (prefix, twinPrefix) = ("sharing.journal.", "sharing.journal.twin-")

  private func twin(of key: KeyName) -> KeyName {
    KeyName(Self.twinPrefix + "\(key)".dropFirst(Self.prefix.count))
  }

  private func original(of key: KeyName) -> KeyName {
    let name = "\(key)"
    return name.hasPrefix(Self.twinPrefix)
      ? KeyName(Self.prefix + name.dropFirst(Self.twinPrefix.count)) : key
  }
}

/// The first journal of each client.
final class FirstJournals: @unchecked Sendable {
  var journals: [String: [UInt8]] = [:]
}

/// A clock that drops the closures that it should call.
final class StoppedClock: SaveClock {
  func call(after milliseconds: Int, _ action: @escaping @Sendable () -> Void) -> Bool { true }
  func callAll() {}
}
