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
        outcome = .success((try coding.update(value, &json, changed), changes.updates))
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
