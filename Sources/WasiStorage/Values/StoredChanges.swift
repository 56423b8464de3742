import SharingCore

/// Other bytes of a stored value, of which perhaps only some elements differ. Arrays ask it to hand
/// those over, so that a program without stored arrays links nothing of it.
public struct _StoredChanges {
  private let value: EncodedValue
  private let bytes: [UInt8]
  private let link: CellLink
  private let onTaken: () -> Void

  /// - Parameter onTaken: Called when the bytes are those of the value in memory.
  init(
    of value: EncodedValue, in bytes: [UInt8], _ link: CellLink, _ onTaken: @escaping () -> Void
  ) {
    self.value = value
    self.bytes = bytes
    self.link = link
    self.onTaken = onTaken
  }

  /// Hands over an array of which only some elements have other bytes; the others are not decoded.
  /// - Parameter decode: Brings the text of the array at an address to the bytes, and answers with
  ///   the elements that bring the array to them; nil where that is to decode all of it.
  /// - Returns: Whether it was that.
  func deliver<Element>(_ decode: Decoder<Element>) -> Bool {
    var json = EncodedJSON()
    guard var patch = patch(over: &json, decode) else { return false }
    return batch {
      let revision = link.receive(patch.changes) {
        patch.apply(to: &$0.assumingMemoryBound(to: [Element].self).pointee)
      }
      if let revision {
        value.keep(json, revision)
        value.noteUnknownMembers(in: bytes, json, isWhole: false)
        onTaken()
      }
      return true
    }
  }

  typealias Decoder<Element> = (
    _ bytes: [UInt8], _ array: UnsafeRawPointer, _ text: inout EncodedJSON
  ) -> JSONPatch<Element>?

  /// When this returns, nobody shares the array with the value any more, which is changed in place.
  private func patch<Element>(
    over json: inout EncodedJSON, _ decode: Decoder<Element>
  ) -> JSONPatch<Element>? {
    guard let snapshot = link.snapshot() else { return nil }
    var (text, revision) = value.takeText()
    if revision == snapshot.revision { swap(&json, &text) }
    return decode(bytes, snapshot.address, &json)
  }
}
