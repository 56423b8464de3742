import SharingCore

/// What the connections have in common that encode a value: its text, which is brought up to date.
package class EncodedValue: @unchecked Sendable {
  final let name: KeyName
  final let coding: AnyStorageCoding
  /// How the value is written.
  package final var form: _StoredForm { coding.form }
  final let lock = Lock()
  /// The text of the value in memory, and the revision of that; nil where that is unknown. Guarded
  /// by the lock.
  final var text: (json: EncodedJSON, revision: UInt32?) = (EncodedJSON(), nil)
  /// The stored text that the value was read from, if it may have members that the value's type
  /// does not. Guarded by the lock.
  private final var textWithUnknownMembers: [UInt8]?
  /// These members; nil until they are first needed. Guarded by the lock.
  private final var unknownMembers: UnknownMembers?

  /// Whether nothing is stored for the default of a key of one's own that is made of this one.
  /// Guarded by the lock.
  private final var isComposedDefaultNothing = true

  init(_ name: KeyName, _ coding: AnyStorageCoding) {
    self.name = name
    self.coding = coding
  }

  /// The bytes of the value of a request, nil where nothing shall be stored, and the updates that
  /// have made it.
  final func encode(_ request: SaveRequest) throws(StorageError) -> (
    bytes: [UInt8]?, updates: [Update]?
  ) {
    var (json, revision) = takeText()
    var outcome: Result<(bytes: [UInt8]?, updates: [Update]?), AnyError> = .success((nil, nil))
    request.withValue { value, changes in
      do throws(AnyError) {
        let changed = changes.elements(since: revision)
        let bytes = try bytes(of: value, &json, changed)
        outcome = .success((bytes, changes.updates))
        revision = changes.revision
      } catch {
        outcome = .failure(error)
        revision = nil
      }
    }
    lock.withLock { text = (json, revision) }
    do throws(AnyError) {
      let (bytes, updates) = try outcome.get()
      if bytes == nil, coding.nothing != nil, !isDefaultNothing(of: request) {
        return (try coding.bytesOfNothing(), updates)
      }
      return (bytes, updates)
    } catch {
      throw StorageError.from(error, otherwise: .unencodable).of(name)
    }
  }

  /// Whether nothing is stored for the default, either.
  private func isDefaultNothing(of request: SaveRequest) -> Bool {
    var isNothing: Bool?
    request.withDefault { isNothing = self.isNothing(at: $0) }
    return isNothing ?? lock.withLock { isComposedDefaultNothing }
  }

  /// Whether nothing is stored for the value at an address.
  private func isNothing(at value: UnsafeRawPointer) -> Bool {
    var json = EncodedJSON()
    do throws(AnyError) { return try coding.update(value, &json, nil) == nil } catch {
      return false
    }
  }

  /// Notes the default of a key of one's own that is made of this one.
  final func noteDefault<Value>(of context: LoadContext<Value>) {
    guard coding.nothing != nil, case .initialValue(let value) = context else { return }
    let isNothing = withUnsafePointer(to: value) { self.isNothing(at: $0) }
    lock.withLock { isComposedDefaultNothing = isNothing }
  }

  /// The bytes to store for the value at an address.
  private func bytes(
    of value: UnsafeRawPointer, _ json: inout EncodedJSON, _ changed: [Int]?
  ) throws(AnyError) -> [UInt8]? {
    let bytes = try coding.update(value, &json, changed)
    guard let bytes else {
      forgetUnknownMembers()
      return nil
    }
    guard let writer = coding.memberWriter, let unknown = findUnknownMembers() else { return bytes }
    return writer.text(unknown, bytes, coding)
  }

  private func findUnknownMembers() -> UnknownMembers? {
    let (stored, found) = lock.withLock { (textWithUnknownMembers, unknownMembers) }
    guard let stored, found == nil else { return found }
    let unknown = try? coding.parts(of: stored).unknown
    lock.withLock {
      guard let other = textWithUnknownMembers, other.holdsSame(as: stored) else { return }
      unknownMembers = unknown ?? nil
      if unknownMembers == nil { textWithUnknownMembers = nil }
    }
    return unknown ?? nil
  }

  /// Notes whether a stored text has members that the value's type does not. The value is that of
  /// the text.
  /// - Parameter isWhole: Whether all of the text was decoded, or only what differs from the text
  ///   before.
  final func noteUnknownMembers(in bytes: [UInt8], _ json: EncodedJSON, isWhole: Bool = true) {
    lock.withLock {
      let hasSome = json.mayHaveUnknownMembers || !isWhole && textWithUnknownMembers != nil
      if !hasSome, textWithUnknownMembers == nil { return }
      textWithUnknownMembers = hasSome ? bytes : nil
      unknownMembers = nil
    }
  }

  /// The stored value is removed: a later one begins anew.
  final func forgetUnknownMembers() {
    lock.withLock { (textWithUnknownMembers, unknownMembers) = (nil, nil) }
  }

  /// Keeps the text of the value at a revision.
  @inline(never)
  final func keep(_ json: EncodedJSON, _ revision: UInt32?) {
    lock.withLock { text = (json, revision) }
  }

  /// The text, taken out so that it has one owner and is changed in place.
  final func takeText() -> (json: EncodedJSON, revision: UInt32?) {
    lock.withLock {
      let taken = text
      text = (EncodedJSON(), nil)
      return taken
    }
  }
}
