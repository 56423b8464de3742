import SharingCore

/// A ``StoredItem``, whatever the type of its value.
final class AnyStoredItem: Sendable {
  let bytes: StoredBytes
  private let coding: AnyStorageCoding
  private let text = WrittenText()
  private let following: StoreFollowing

  init(
    _ name: KeyName, in store: any KeyValueStore, _ coding: AnyStorageCoding, _ saving: SaveTiming,
    _ following: StoreFollowing
  ) {
    self.following = following
    bytes = StoredBytes(name, in: store, saving)
    self.coding = coding
  }

  /// Hands over what the store holds now.
  func load(_ continuation: ContinuationBox) {
    do throws(StorageError) {
      let reading = try bytes.load()
      guard reading.seen != .missing else {
        return accept(reading, if: continuation.resume(.nothing))
      }
      try decode(reading) { accept(reading, if: continuation.resume(.value($0))) }
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
      guard news.seen != .missing else { return yield(.nothing, news, to: subscriber) }
      try decode(news) { yield(.value($0), news, to: subscriber) }
    } catch {
      subscriber.receive(.failure(error))
    }
  }

  /// Yields news, and what was lost to them, before anybody who observes them runs.
  private func yield(
    _ outcome: Outcome, _ news: StoredBytes.Reading, to subscriber: AnySubscriber
  ) {
    batch {
      guard subscriber.receive(outcome) else { return }
      bytes.accept(news)
      if let loss = bytes.delay?.giveUp(for: news.seen) { subscriber.receive(.failure(loss)) }
    }
  }

  private func accept(_ reading: StoredBytes.Reading, if isTaken: Bool) {
    if isTaken { bytes.accept(reading) }
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

  /// What does not decode is kept: it has been seen.
  private func decode(
    _ reading: StoredBytes.Reading, _ body: (UnsafeMutableRawPointer) -> Void
  ) throws(StorageError) {
    let stored = reading.seen.bytes ?? []
    do throws(AnyError) {
      try coding.decode(stored, body)
    } catch {
      bytes.accept(reading)
      throw bytes.undecodable(stored, error)
    }
  }
}
