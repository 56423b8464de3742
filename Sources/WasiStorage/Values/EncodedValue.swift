import SharingCore

/// What the connections have in common that encode a value: its text, which is brought up to date.
package class EncodedValue: @unchecked Sendable {
  final let name: KeyName
  final let coding: AnyStorageCoding
  final let lock = Lock()
  /// The text of the value in memory, and the revision of that; nil where that is unknown. Guarded
  /// by the lock.
  final var text: (json: EncodedJSON, revision: UInt32?) = (EncodedJSON(), nil)

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
      return try outcome.get()
    } catch {
      throw StorageError.from(error, otherwise: .unencodable).of(name)
    }
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
