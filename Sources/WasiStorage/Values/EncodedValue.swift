import SharingCore
import SharingJSON

/// Encodes a value for its connection. Keeps the text and updates it.
package final class EncodedValue: @unchecked Sendable {
  package let name: KeyName
  package let coding: AnyStorageCoding
  private let lock = Lock()
  /// The text of the value in memory, and the value's revision; nil if unknown. Guarded by the
  /// lock.
  private var text: (json: _EncodedJSON, revision: UInt32?) = (_EncodedJSON(), nil)
  /// The stored text that the value was read from or written to last, if it may have members that
  /// the value's type lacks. Guarded by the lock.
  private var textWithUnknownMembers: [UInt8]?

  package init(_ name: KeyName, _ coding: AnyStorageCoding) {
    self.name = name
    self.coding = coding
  }

  /// Returns the bytes of a value, nil to remove the item, and the updates that made it.
  package func encode(
    _ value: ValueToSave, _ receiver: Receiver?
  ) throws(StorageError) -> (bytes: [UInt8]?, updates: [Update]?) {
    var (json, revision) = takeText()
    do throws(AnyError) {
      let bytes = try bytes(of: value.address, &json, value.elementChanges(since: revision))
      keep(json, value.revision)
      if bytes == nil, coding.nilBytes != nil, !defaultHasNoBytes(of: receiver) {
        return (coding.nilBytes, value.updates)
      }
      return (bytes, value.updates)
    } catch {
      keep(json, nil)
      throw StorageError.from(error, otherwise: .unencodable).of(name)
    }
  }

  /// Whether the default is known and stored as no item. That of a custom key that is built on this
  /// one is unknown: its nil is stored, so that a program with another default shows nil, too.
  private func defaultHasNoBytes(of receiver: Receiver?) -> Bool {
    guard let initial = receiver?.copyOfDefault() else { return false }
    var json = _EncodedJSON()
    do throws(AnyError) {
      return try coding.update(initial.address, &json, .anything) == nil
    } catch {
      return false
    }
  }

  /// Returns the bytes to store for the value at an address.
  private func bytes(
    of value: UnsafeRawPointer, _ json: inout _EncodedJSON, _ changes: ElementChanges
  ) throws(AnyError) -> [UInt8]? {
    guard let bytes = try coding.update(value, &json, changes) else { return nil }
    guard let add = coding.addMembers, let stored = lock.withLock({ textWithUnknownMembers })
    else { return bytes }
    return add(coding, stored, bytes)
  }

  /// Records whether a stored text has members that the value's type lacks. The value was decoded
  /// from the text.
  /// - Parameter isWhole: Whether the whole text was decoded, not only the changed elements.
  package func noteUnknownMembers(in bytes: [UInt8], hasSome: Bool, isWhole: Bool = true) {
    lock.withLock {
      let hasSome = hasSome || !isWhole && textWithUnknownMembers != nil
      if !hasSome, textWithUnknownMembers == nil { return }
      textWithUnknownMembers = hasSome ? bytes : nil
    }
  }

  /// Records that a text, nil for none, has replaced the stored one. From now on only its members
  /// are kept: those of a removed part must not come back with a new part of its name or id.
  package func noteWritten(_ bytes: [UInt8]?) {
    lock.withLock { if textWithUnknownMembers != nil { textWithUnknownMembers = bytes } }
  }

  /// Forgets the members that the value's type lacks: the stored value is removed.
  package func forgetUnknownMembers() {
    lock.withLock { textWithUnknownMembers = nil }
  }

  /// Forgets the value in memory, which is gone. The revisions of the next one begin anew.
  package func forget() {
    lock.withLock {
      text = (_EncodedJSON(), nil)
      textWithUnknownMembers = nil
    }
  }

  // MARK: Elements

  /// Decodes the elements of an array whose text differs from the bytes. When this returns, the
  /// array has one owner again, so that it is changed in place.
  /// - Returns: A closure that changes the elements, and returns whether the cell has taken them:
  ///   not if the value has changed meanwhile. Nil if the value is not an array, or all of it has
  ///   to be decoded.
  package func prepareElements(
    of bytes: [UInt8], for receiver: Receiver
  ) -> (() -> Bool)? {
    coding.patch?(self, bytes, receiver)
  }

  /// The same for an array.
  func prepareElements(
    of bytes: [UInt8], for receiver: Receiver, _ decode: _ElementPatcher
  ) -> (() -> Bool)? {
    guard let snapshot = receiver.snapshot() else { return nil }
    var (json, revision) = takeText()
    if revision != snapshot.revision { json = _EncodedJSON() }
    guard let patch = decode(snapshot.address, bytes, &json) else { return nil }
    return { [json] in
      guard let revision = receiver.receive(patch) else { return false }
      self.keep(json, revision)
      self.noteUnknownMembers(in: bytes, hasSome: json.mayHaveUnknownMembers, isWhole: false)
      return true
    }
  }

  /// Keeps the text of the value at a revision; nil or 0 if that is unknown. Each value begins with
  /// the revision 0, and a custom key that is built on this one may have several values.
  @inline(never)
  func keep(_ json: _EncodedJSON, _ revision: UInt32?) {
    lock.withLock { text = (json, revision == 0 ? nil : revision) }
  }

  /// Moves the text out, so that it has one owner and is changed in place.
  func takeText() -> (json: _EncodedJSON, revision: UInt32?) {
    lock.withLock {
      let taken = text
      text = (_EncodedJSON(), nil)
      return taken
    }
  }
}
