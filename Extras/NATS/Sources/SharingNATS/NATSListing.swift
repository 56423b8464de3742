import SharingCommits
import SharingCore
import Synchronization
import WasiStorage

/// Makes a listing from the messages of a consumer of many keys: all values whenever it begins, and
/// then each change.
final class NATSListing: Sendable {
  private struct State {
    /// The values of the consumer's beginning so far; nil once all are reported.
    var begun: [StoredRevision]? = []
    /// Whether values were reported, and no refusal by the server after them.
    var isReported = false
  }

  private let bucket: String
  private let onListing: @Sendable (RevisionListing) -> Void
  private let state = Mutex(State())

  init(_ bucket: String, _ onListing: @escaping @Sendable (RevisionListing) -> Void) {
    self.bucket = bucket
    self.onListing = onListing
  }

  func receive(_ event: NATSFollower.Event) {
    switch event {
    case .began(let isEmpty):
      if isEmpty { receive([], isFirst: true, pending: 0) }
    case .message(let message):
      let key = NATSSubject.key(of: message.subject, in: bucket)
      let record = NATSRecord(message.revision, message.body)
      let stored = key.map { [record.stored($0)] } ?? []
      receive(stored, isFirst: message.isFirst, pending: message.pending)
    case .failed(let error):
      // A complete listing stays valid while the server is away.
      let isValid = state.withLock { state in
        if error.isRefusal { state.isReported = false }
        return state.isReported
      }
      if !isValid { onListing(.failed(error)) }
    }
  }

  private func receive(_ stored: [StoredRevision], isFirst: Bool, pending: Int) {
    let listing: RevisionListing? = state.withLock { state in
      if isFirst { state.begun = [] }
      guard let begun = state.begun else { return .changed(stored) }
      state.begun = pending > 0 ? begun + stored : nil
      if pending > 0 { return nil }
      state.isReported = true
      return .all(begun + stored)
    }
    if let listing { onListing(listing) }
  }
}
