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
  /// - Parameter decode: Brings the array at an address, and its text, to the bytes; nil where that
  ///   is to decode all of it, and then nothing has changed.
  /// - Returns: Whether it was that.
  func handOver(
    _ decode: (
      _ bytes: [UInt8], _ array: UnsafeMutableRawPointer, _ text: inout EncodedJSON
    ) -> ElementChanges?
  ) -> Bool {
    guard let snapshot = link.snapshot() else { return false }
    var (json, revision) = value.takeText()
    if revision != snapshot.revision { json = EncodedJSON() }
    guard let changes = decode(bytes, snapshot.address, &json) else { return false }
    return batch {
      if let revision = link.receive(snapshot, changes) {
        value.keep(json, revision)
        onTaken()
      }
      return true
    }
  }
}
