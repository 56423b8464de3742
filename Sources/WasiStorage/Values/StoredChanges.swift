import SharingCore

/// New bytes of a stored value, of which perhaps only some elements differ. Arrays call
/// `deliver(_:)`, so that a program without stored arrays does not link it.
public struct _StoredChanges {
  private let value: EncodedValue
  private let bytes: [UInt8]
  private let link: CellLink
  private let onTaken: () -> Void

  /// - Parameter onTaken: Called when the value in memory has taken over the bytes.
  init(
    of value: EncodedValue, in bytes: [UInt8], _ link: CellLink, _ onTaken: @escaping () -> Void
  ) {
    self.value = value
    self.bytes = bytes
    self.link = link
    self.onTaken = onTaken
  }

  /// Delivers an array of which only some elements have new bytes; the others are not decoded.
  /// - Parameter decode: Updates the text of the array at an address to the new bytes, and returns
  ///   the changes to the array; nil if the whole array has to be decoded.
  /// - Returns: Whether it could; if not, decode the whole array.
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

  /// When this returns, its copy of the array is released, so that the value changes in place.
  private func patch<Element>(
    over json: inout EncodedJSON, _ decode: Decoder<Element>
  ) -> JSONPatch<Element>? {
    guard let snapshot = link.snapshot() else { return nil }
    var (text, revision) = value.takeText()
    if revision == snapshot.revision { swap(&json, &text) }
    return decode(bytes, snapshot.address, &json)
  }
}
