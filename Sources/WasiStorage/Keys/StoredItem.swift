import SharingCore

/// One value in a store: loads, saves and follows it, and knows the bytes that it last saw there.
///
/// What the keys have in common. Nothing is written unless it differs from what the store holds, and
/// nothing is decoded unless it differs from what was last seen.
final class StoredItem<Value: JSONValue>: @unchecked Sendable {
  let name: KeyName
  let store: any KeyValueStore
  private let lock = Lock()
  private var seen = Seen.nothing
  /// Stored bytes that do not decode and have no copy yet: nothing may overwrite them.
  private var damage: [UInt8]?

  /// What the item knows of the stored bytes.
  private enum Seen {
    case nothing
    case missing
    case bytes([UInt8])
  }

  init(_ name: KeyName, in store: any KeyValueStore) {
    self.name = name
    self.store = store
  }

  /// What the store holds now: a value, or nil where it holds nothing.
  func load() throws(StorageError) -> Value? {
    let bytes = try store.bytes(for: name)
    note(bytes)
    guard let bytes else { return nil }
    return try decode(bytes)
  }

  /// Yields what the store holds, if those are other bytes than were last seen.
  func refresh(_ subscriber: SharedSubscriber<Value>) {
    do throws(StorageError) {
      let bytes = try store.bytes(for: name)
      guard isNews(bytes) else { return }
      note(bytes)
      guard let bytes else { return subscriber.yieldReturningInitialValue() }
      subscriber.yield(try decode(bytes))
    } catch {
      subscriber.yield(throwing: error)
    }
  }

  /// Writes a value, or removes the item when the value is nil, unless the store holds just that.
  func save(_ value: Value) throws(StorageError) {
    let bytes = try encode(value)
    let stored = bytes == Self.null ? nil : bytes
    guard isNews(stored) else { return }
    try setDamageAside()
    try write(stored)
  }

  /// What is written is noted first: stores tell at once, and it must not come back as news.
  private func write(_ bytes: [UInt8]?) throws(StorageError) {
    let before = note(bytes)
    do throws(StorageError) {
      if let bytes { try store.set(bytes, for: name) } else { try store.remove(name) }
    } catch {
      lock.withLock { seen = before }
      throw error
    }
  }

  private static var null: [UInt8] { UTF8Text("null").bytes }

  /// - Returns: What was noted before.
  @discardableResult
  private func note(_ bytes: [UInt8]?) -> Seen {
    var seen: Seen = if let bytes { .bytes(bytes) } else { .missing }
    lock.withLock { swap(&seen, &self.seen) }
    return seen
  }

  private func isNews(_ bytes: [UInt8]?) -> Bool {
    var isNews = true
    lock.withLock {
      switch (seen, bytes) {
      case (.missing, nil): isNews = false
      case (.bytes(let old), let new?): isNews = old != new
      default: break
      }
    }
    return isNews
  }

  private func encode(_ value: Value) throws(StorageError) -> [UInt8] {
    do throws(JSONError) {
      return try JSON.encode(value)
    } catch {
      throw StorageError(.unencodable, key: name, "The value cannot be stored: \(error.text)")
    }
  }

  /// A value that does not decode is set aside at once, before anything can overwrite it.
  private func decode(_ bytes: [UInt8]) throws(StorageError) -> Value {
    do throws(JSONError) {
      return try JSON.decode(Value.self, from: bytes)
    } catch {
      lock.withLock { damage = bytes }
      try? setDamageAside()
      throw StorageError(
        .corrupt(offset: error.offset), key: name,
        """
        The stored text is damaged, so the default is shown; the text itself is kept under \
        "\(name).corrupt". \(error.text)
        """)
    }
  }

  /// Copies damaged bytes to `<key>.corrupt`, or to the first of `<key>.corrupt.2`, `.3` … that is
  /// free, unless one of them holds the same bytes.
  private func setDamageAside() throws(StorageError) {
    var damage: [UInt8]?
    lock.withLock { damage = self.damage }
    guard let damage else { return }
    var number = 1
    while true {
      let text: UTF8Text = number == 1 ? "\(name).corrupt" : "\(name).corrupt.\(number)"
      let copy = KeyName(bytes: text.bytes)
      let taken = try store.bytes(for: copy)
      if taken == nil { try store.set(damage, for: copy) }
      if taken == nil || taken == damage { break }
      number += 1
    }
    lock.withLock { self.damage = nil }
  }
}
