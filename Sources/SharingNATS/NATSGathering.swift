import SharingCore
import Synchronization
import WasiStorage

/// Gathers the records of keys that are loaded together, in their order.
final class NATSGathering: Sendable {
  typealias Done = @Sendable (Result<[NATSRecord], StorageError>) -> Void

  /// The records so far; nil after the answer.
  private let found: Mutex<[NATSRecord?]?>
  private let done: Done

  init(count: Int, _ done: @escaping Done) {
    found = Mutex(Array(repeating: nil, count: count))
    self.done = done
  }

  /// Records the answer for one key. Answers after the last key or the first failure.
  func take(_ result: Result<NATSRecord, StorageError>, at index: Int) {
    let all: Result<[NATSRecord], StorageError>? = found.withLock { found in
      guard var records = found else { return nil }
      do throws(StorageError) {
        records[index] = try result.get()
        let known = records.compactMap { $0 }
        found = known.count == records.count ? nil : records
        return found == nil ? .success(known) : nil
      } catch {
        found = nil
        return .failure(error)
      }
    }
    if let all { done(all) }
  }
}
