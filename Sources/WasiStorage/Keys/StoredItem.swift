import SharingCore

/// One value in a store: its bytes there, and how they are coded. See ``StorageKey``.
public final class StoredItem<Value: Sendable>: Sendable {
  let bytes: StoredBytes
  private let coding: StorageCoding<Value>
  private let text = WrittenText()

  /// An item of a store.
  /// - Parameters:
  ///   - name: The item's name there, any text.
  ///   - store: The store.
  ///   - coding: How the value is written.
  ///   - saving: When it is written.
  public init(
    _ name: KeyName, in store: any KeyValueStore, coding: StorageCoding<Value>,
    saving: SaveTiming = .immediately
  ) {
    bytes = StoredBytes(name, in: store, saving)
    self.coding = coding
  }

  /// What the store holds now: a value, or nil where it holds nothing.
  func load() throws(StorageError) -> Value? {
    guard let stored = try bytes.load() else { return nil }
    return try decode(stored)
  }

  /// Yields what the store holds, if those are other bytes than were last seen.
  func refresh(_ subscriber: SharedSubscriber<Value>) {
    do throws(StorageError) {
      guard let news = try bytes.news() else { return }
      var value: Value?
      if case .bytes(let stored) = news { value = try decode(stored) }
      let loss = bytes.delay?.giveUp(for: news)
      subscriber.yield(with: .success(value))
      if let loss { subscriber.yield(throwing: loss) }
    } catch {
      subscriber.yield(throwing: error)
    }
  }

  /// Writes a value, or removes the item where there is nothing to write.
  /// - Parameter changed: Which elements of an array have changed since the last call; nil where that
  ///   is unknown.
  func save(
    _ value: Value, changed: [Int]?, _ context: SaveContext, _ continuation: SaveContinuation
  ) {
    text.note(changed)
    bytes.save(context, continuation) { () throws(StorageError) in try self.encode(value) }
  }

  /// Removes the item.
  func remove(_ continuation: SaveContinuation) {
    bytes.save(.userInitiated, continuation) { () throws(StorageError) in nil }
  }

  private func encode(_ value: Value) throws(StorageError) -> [UInt8]? {
    do throws(AnyError) {
      return try text.update { (text, changed) throws(AnyError) in
        try coding.update(value, &text, changed)
      }
    } catch {
      throw bytes.unencodable(error)
    }
  }

  private func decode(_ stored: [UInt8]) throws(StorageError) -> Value {
    do throws(AnyError) {
      return try coding.decode(stored)
    } catch {
      throw bytes.undecodable(stored, error)
    }
  }
}
