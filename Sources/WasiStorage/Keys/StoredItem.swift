import SharingCore

/// One value in a store: loads, saves and follows it, and knows the bytes that it last saw there.
///
/// What the keys have in common. Nothing is written unless it differs from what the store holds,
/// nothing is decoded unless it differs from what was last seen, and nothing is overwritten that was
/// never seen.
final class StoredItem<Value: JSONValue>: @unchecked Sendable {
  let name: KeyName
  let store: any KeyValueStore
  private let lock = Lock()
  private var seen = Seen.unknown
  /// Whether this item is writing: what the store holds then is our own, old or new.
  private var isWriting = false
  /// How often this item has written: a read during which that changes may be out of date.
  private var writeCount = 0
  /// Stored bytes that do not decode and have no copy yet: nothing may overwrite them.
  private var damage: [UInt8]?

  /// What the item knows of the stored bytes.
  private enum Seen: Equatable {
    /// Nothing, or no longer: the store could not be read.
    case unknown
    case missing
    case bytes([UInt8])

    init(_ bytes: [UInt8]?) {
      self = if let bytes { .bytes(bytes) } else { .missing }
    }
  }

  init(_ name: KeyName, in store: any KeyValueStore) {
    self.name = name
    self.store = store
  }

  /// What the store holds now: a value, or nil where it holds nothing.
  func load() throws(StorageError) -> Value? {
    let bytes = try read()
    _ = lock.withLock { note(Seen(bytes)) }
    guard let bytes else { return nil }
    return try decode(bytes)
  }

  /// Yields what the store holds, if those are other bytes than were last seen.
  func refresh(_ subscriber: SharedSubscriber<Value>) {
    do throws(StorageError) {
      guard let before = lock.withLock({ isWriting ? nil : writeCount }) else { return }
      let bytes = try read()
      let isNews = lock.withLock {
        !isWriting && writeCount == before && note(Seen(bytes)) != Seen(bytes)
      }
      guard isNews else { return }
      guard let bytes else { return subscriber.yieldReturningInitialValue() }
      subscriber.yield(try decode(bytes))
    } catch {
      subscriber.yield(throwing: error)
    }
  }

  /// Writes a value, or removes the item when the value is nil, unless the store holds just that.
  func save(_ value: Value) throws(StorageError) {
    let bytes = try encode(value)
    let new = Seen(bytes == UTF8Text("null").bytes ? nil : bytes)
    if lock.withLock({ seen == .unknown }) { try makeSureThatNothingIsThere() }
    guard lock.withLock({ seen != new }) else { return }
    try setDamageAside()
    try write(new)
  }
}

// MARK: The store

extension StoredItem {
  /// A store that cannot be read leaves the item with no idea of what it holds.
  private func read() throws(StorageError) -> [UInt8]? {
    do throws(StorageError) {
      return try store.bytes(for: name)
    } catch {
      lock.withLock { seen = .unknown }
      throw error
    }
  }

  /// The value to be saved knows nothing of what the store may hold: that must not be lost.
  private func makeSureThatNothingIsThere() throws(StorageError) {
    guard try read() == nil else {
      throw StorageError(
        .other, key: name,
        """
        The store holds a value that could not be read before, and it is not overwritten. Load it, \
        or change the value again.
        """)
    }
    _ = lock.withLock { note(.missing) }
  }

  /// What is written is noted first: stores tell at once, and it must not come back as news.
  private func write(_ new: Seen) throws(StorageError) {
    let before = lock.withLock {
      isWriting = true
      writeCount += 1
      return note(new)
    }
    defer { lock.withLock { isWriting = false } }
    do throws(StorageError) {
      if case .bytes(let bytes) = new {
        try store.set(bytes, for: name)
      } else {
        try store.remove(name)
      }
    } catch {
      _ = lock.withLock { note(before) }
      throw error
    }
  }

  /// The lock is held.
  /// - Returns: What was noted before.
  private func note(_ now: Seen) -> Seen {
    let before = seen
    seen = now
    if let damage, now != .bytes(damage) { self.damage = nil }  // somebody has mended it
    return before
  }
}

// MARK: The text

extension StoredItem {
  private func encode(_ value: Value) throws(StorageError) -> [UInt8] {
    do throws(JSONError) {
      return try JSON.encode(value)
    } catch {
      throw StorageError(.unencodable, key: name, "The value cannot be stored: \(error.text)")
    }
  }

  /// Text that does not decode is set aside at once, before anything can overwrite it.
  private func decode(_ bytes: [UInt8]) throws(StorageError) -> Value {
    do throws(JSONError) {
      return try JSON.decode(Value.self, from: bytes)
    } catch {
      lock.withLock { damage = bytes }
      throw StorageError(.corrupt(offset: error.offset), key: name, damageReport(error))
    }
  }

  private func damageReport(_ error: JSONError) -> UTF8Text {
    do throws(StorageError) {
      let copy = try setDamageAside() ?? name
      return "The stored text is damaged and not shown; it is kept under \"\(copy)\". \(error.text)"
    } catch let failure {
      return """
        The stored text is damaged and not shown. It could not be copied and is not overwritten: \
        \(failure.message) \(error.text)
        """
    }
  }

  /// Copies damaged bytes to `<key>.corrupt`, or to the first of `<key>.corrupt.2`, `.3` … that is
  /// free, unless one of them holds the same bytes.
  /// - Returns: Where the copy is; nil when there is no damage.
  @discardableResult
  private func setDamageAside() throws(StorageError) -> KeyName? {
    guard let damage = lock.withLock({ damage }) else { return nil }
    var copy = KeyName(bytes: UTF8Text("\(name).corrupt").bytes)
    var number = 1
    while let taken = try store.bytes(for: copy), taken != damage {
      number += 1
      copy = KeyName(bytes: UTF8Text("\(name).corrupt.\(number)").bytes)
    }
    if try store.bytes(for: copy) == nil { try store.set(damage, for: copy) }
    lock.withLock { self.damage = nil }
    return copy
  }
}
