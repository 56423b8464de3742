import SharingCommits
import SharingCore
import Synchronization
import WasiStorage

/// Makes a listing from the messages of a consumer of many keys: all values at its beginning, and
/// then each change.
final class NATSListing: Sendable {
  private let bucket: String
  private let onListing: @Sendable (RevisionListing) -> Void
  /// The values of the first listing so far; nil once it is complete.
  private let first: Mutex<[StoredRevision]?> = Mutex([])
  /// Whether the server's refusal to list was reported: after it, all values are reported again.
  private let isRefused = Atomic(false)

  init(_ bucket: String, _ onListing: @escaping @Sendable (RevisionListing) -> Void) {
    self.bucket = bucket
    self.onListing = onListing
  }

  func receive(_ event: NATSFollower.Event) {
    switch event {
    case .began(let pending):
      if isRefused.exchange(false, ordering: .relaxed) { first.withLock { $0 = [] } }
      if pending == 0 { receive([], pending: 0) }
    case .message(let message):
      let key = NATSSubject.key(of: message.subject, in: bucket)
      let record = NATSRecord(revision: message.revision, message.body)
      receive(key.map { [record.stored($0)] } ?? [], pending: message.pending)
    case .failed(let error):
      if error.isRefusal { isRefused.store(true, ordering: .relaxed) }
      // A complete listing stays valid while the server is away.
      if error.isRefusal || first.withLock({ $0 != nil }) { onListing(.failed(error)) }
    }
  }

  private func receive(_ stored: [StoredRevision], pending: Int) {
    let listing: RevisionListing? = first.withLock { first in
      guard let begun = first else { return .changed(stored) }
      first = pending > 0 ? begun + stored : nil
      return pending > 0 ? nil : .all(begun + stored)
    }
    if let listing { onListing(listing) }
  }
}
