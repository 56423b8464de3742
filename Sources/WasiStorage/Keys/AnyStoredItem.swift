import SharingCore

/// A ``StoredItem``, whatever the type of its value.
final class AnyStoredItem: Sendable {
  let bytes: StoredBytes
  private let coding: AnyStorageCoding
  private let text = WrittenText()

  init(
    _ name: KeyName, in store: any KeyValueStore, _ coding: AnyStorageCoding, _ saving: SaveTiming
  ) {
    bytes = StoredBytes(name, in: store, saving)
    self.coding = coding
  }

  /// Hands over what the store holds now.
  func load(_ continuation: ContinuationBox) {
    do throws(StorageError) {
      guard let stored = try bytes.load() else { return continuation.resume(.nothing) }
      try decode(stored) { continuation.resume(.value($0)) }
    } catch {
      continuation.resume(.failure(error))
    }
  }

  /// Has a subscriber told of changes that others make.
  func follow(_ subscriber: AnySubscriber) -> SharedSubscription {
    bytes.follow { if !subscriber.refresh() { self.refresh(subscriber) } }
  }

  /// Yields what the store holds, if those are other bytes than were last seen.
  func refresh(_ subscriber: AnySubscriber) {
    do throws(StorageError) {
      guard let news = try bytes.news() else { return }
      guard case .bytes(let stored) = news else {
        return bytes.yield(.nothing, news, to: subscriber)
      }
      try decode(stored) { bytes.yield(.value($0), news, to: subscriber) }
    } catch {
      subscriber.receive(.failure(error))
    }
  }

  /// Whether saves are put off.
  var isDelayed: Bool { bytes.delay != nil }

  /// Notes which elements of an array have changed since the last call; nil where that is unknown.
  func note(_ changed: [Int]?) {
    text.note(changed)
  }

  /// Writes the value at an address, or removes the item where it is nothing.
  func save(_ value: UnsafeRawPointer, _ continuation: SaveContinuation) {
    bytes.save(continuation) { () throws(StorageError) in try encode(value) }
  }

  /// Does that with what `encode` makes, later.
  func save(
    _ context: SaveContext, _ continuation: SaveContinuation,
    _ encode: @escaping @Sendable () throws(StorageError) -> [UInt8]?
  ) {
    bytes.save(context, continuation, encode)
  }

  /// Removes the item.
  func remove(_ continuation: SaveContinuation) {
    bytes.save(.userInitiated, continuation) { () throws(StorageError) in nil }
  }

  /// The bytes of the value at an address.
  func encode(_ value: UnsafeRawPointer) throws(StorageError) -> [UInt8]? {
    do throws(AnyError) {
      return try text.update { (text, changed) throws(AnyError) in
        try coding.update(value, &text, changed)
      }
    } catch {
      throw bytes.unencodable(error)
    }
  }

  private func decode(
    _ stored: [UInt8], _ body: (UnsafeMutableRawPointer) -> Void
  ) throws(StorageError) {
    do throws(AnyError) {
      try coding.decode(stored, body)
    } catch {
      throw bytes.undecodable(stored, error)
    }
  }
}

extension StoredBytes {
  /// Yields news, and what was lost to them.
  fileprivate func yield(_ outcome: Outcome, _ news: Seen, to subscriber: AnySubscriber) {
    let loss = delay?.giveUp(for: news)
    subscriber.receive(outcome)
    if let loss { subscriber.receive(.failure(loss)) }
  }
}
