import SharingCore

/// What the connections have in common that encode a value: its text, which is brought up to date.
package class EncodedValue: @unchecked Sendable {
  final let lock = Lock()
  /// The text of the value in memory, and the revision of that; nil where that is unknown. Guarded
  /// by the lock.
  final var text: (json: EncodedJSON, revision: UInt32?) = (EncodedJSON(), nil)

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
