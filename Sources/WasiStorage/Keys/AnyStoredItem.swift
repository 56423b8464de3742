import SharingCore

/// A ``StoredItem``, whatever the type of its value.
final class AnyStoredItem: Sendable {
  let bytes: StoredBytes
  private let coding: AnyStorageCoding
  private let isDocument: Bool
  private let text = WrittenText()
  private let following: StoreFollowing

  /// - Parameter isDocument: Whether zero bytes are nothing where they stand for no value: programs
  ///   that make a file before they write to it leave it like that.
  init(
    _ name: KeyName, in store: any KeyValueStore, _ coding: AnyStorageCoding, _ saving: SaveTiming,
    _ following: StoreFollowing, isDocument: Bool
  ) {
    self.following = following
    bytes = StoredBytes(name, in: store, saving)
    self.coding = coding
    self.isDocument = isDocument
  }

  /// Hands over what the store holds now.
  func load(_ continuation: ContinuationBox) {
    do throws(StorageError) {
      handOver(try bytes.load()) { continuation.resume($0) }
    } catch {
      continuation.resume(.failure(error))
    }
  }

  /// Has a subscriber told of changes that others make.
  func follow(_ subscriber: AnySubscriber) -> SharedSubscription {
    guard following == .always else { return SharedSubscription {} }
    return bytes.follow { if !subscriber.refresh() { self.refresh(subscriber) } }
  }

  /// Whether ``refresh(_:)`` may have something to yield.
  var mayHaveNews: Bool { following == .always && bytes.mayHaveNews }

  /// Yields what the store holds, if those are other bytes than were last seen. Of an item that follows
  /// nobody it is not asked for.
  func refresh(_ subscriber: AnySubscriber) {
    do throws(StorageError) {
      guard let news = try bytes.news() else { return }
      handOver(news) { outcome in
        if case .failure = outcome { return subscriber.receive(outcome) }
        // First: what is put off has not failed any more then, so that it is told once what is lost.
        let loss = bytes.delay?.giveUp(for: news.seen)
        guard subscriber.receive(outcome) else { return false }
        if let loss { subscriber.receive(.failure(loss)) }
        return true
      }
    } catch {
      subscriber.receive(.failure(error))
    }
  }

  /// Hands over what was read. It counts as seen once it is taken over; observers run after that.
  private func handOver(_ reading: StoredBytes.Reading, to receive: (Outcome) -> Bool) {
    batch {
      var isTaken = false
      do throws(AnyError) {
        if let stored = reading.seen.bytes {
          try coding.decode(stored) { isTaken = receive(.value($0)) }
        } else {
          isTaken = receive(.nothing)
        }
      } catch {
        isTaken = receiveUndecodable(reading, error, receive)
      }
      if isTaken { bytes.accept(reading) }
    }
  }

  private func receiveUndecodable(
    _ reading: StoredBytes.Reading, _ error: AnyError, _ receive: (Outcome) -> Bool
  ) -> Bool {
    let stored = reading.seen.bytes ?? []
    if isDocument, stored.isEmpty { return receive(.nothing) }
    bytes.accept(reading)  // it is kept, and may be overwritten then
    _ = receive(.failure(bytes.undecodable(stored, error)))
    return false
  }

  /// Whether saves are put off.
  var isDelayed: Bool { bytes.delay != nil }

  /// Writes the value at an address, or removes the item where it is nothing.
  /// - Parameter changed: Which elements of an array have changed since the last save; nil where that
  ///   is unknown.
  func save(_ value: UnsafeRawPointer, changed: [Int]?, _ continuation: SaveContinuation) {
    bytes.save(continuation) { () throws(StorageError) in try encode(value, changed: changed) }
  }

  /// Does that with what `encode` makes, later.
  func save(
    _ context: SaveContext, changed: [Int]?, _ continuation: SaveContinuation,
    _ encode: @escaping PendingSave.Encode
  ) {
    bytes.save(
      PendingSave(bytes: bytes, encode: encode, changed: changed, continuation: continuation),
      now: context != .didSet)
  }

  /// Removes the item.
  func remove(_ continuation: SaveContinuation) {
    guard isDelayed else { return bytes.save(continuation) { () throws(StorageError) in nil } }
    save(.userInitiated, changed: nil, continuation) { (_) throws(StorageError) in nil }
  }

  /// The bytes of the value at an address.
  func encode(_ value: UnsafeRawPointer, changed: [Int]?) throws(StorageError) -> [UInt8]? {
    do throws(AnyError) {
      return try text.update { (text) throws(AnyError) in
        try coding.update(value, &text, changed)
      }
    } catch {
      throw bytes.unencodable(error)
    }
  }
}
