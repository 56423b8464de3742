import SharingCore

extension Array where Element: JSONValue {
  /// Writes the elements that may have changed or are new at the end, and copies the text of the
  /// others.
  @inlinable
  public func _encode(
    over text: inout _EncodedJSON, _ changes: ElementChanges
  ) throws(JSONError) {
    try text.update(count, changes) { (index, writer) throws(JSONError) in
      try writer.item(self[index], at: index)
    }
  }
}

extension _EncodedJSON {
  /// Writes one element of an array: the only code that needs its type.
  @usableFromInline
  typealias ElementWriter = (_ index: Int, _ writer: inout JSONWriter) throws(JSONError) -> Void

  /// Updates the text to an array of a number of elements.
  @inline(never) @usableFromInline
  mutating func update(
    _ count: Int, _ changes: ElementChanges, _ write: ElementWriter
  ) throws(JSONError) {
    if case .changed(let changed) = changes, let ends,
      let edits = JSONEdits(at: changed, ends.count, count, write)
    {
      self.ends = nil  // it would be copied
      apply(edits, behind: ends)
    } else {
      try writeAll(count, write)
    }
  }

  private mutating func writeAll(_ count: Int, _ write: ElementWriter) throws(JSONError) {
    var writer = JSONWriter(capacity: bytes.count + 64)
    var ends: [Int] = []
    ends.reserveCapacity(count)
    // If the writing fails, the changes since then are unknown.
    self.ends = nil
    try writer.beginArray()
    for index in 0..<count {
      writer.beginItem()
      try write(index, &writer)
      ends.append(writer.count)
    }
    writer.endArray()
    bytes = writer.bytes
    self.ends = ends
  }
}
