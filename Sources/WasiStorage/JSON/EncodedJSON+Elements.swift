extension Array where Element: JSONValue {
  /// Writes the elements that may have changed or are new at the end, and copies the text of the others.
  ///
  /// ```swift
  /// try todos.encode(over: &text, changed: [3])
  /// ```
  ///
  /// - Throws: ``JSONError`` of an element, with its index in the path.
  @inlinable
  public func encode(over text: inout EncodedJSON, changed: [Int]?) throws(JSONError) {
    guard let changed, let known = text.ends?.count, known <= count,
      changed.suffix(count - known).elementsEqual(known..<count),
      let edits = edits(at: changed, behind: known)
    else { return try encodeAll(over: &text) }
    text.apply(edits)
  }

  /// The new texts; nil when the places make no sense, and when an element cannot be written: to
  /// write all of them then tells where and why.
  @inlinable
  func edits(at places: [Int], behind known: Int) -> JSONEdits? {
    var edits = JSONEdits()
    for place in places {
      guard indices.contains(place), edits.begin(place, isNew: place >= known) else { return nil }
      do throws(JSONError) {
        try self[place].encode(into: &edits.writer)
      } catch {
        return nil
      }
    }
    return edits
  }

  @inlinable
  func encodeAll(over text: inout EncodedJSON) throws(JSONError) {
    var writer = JSONWriter(capacity: text.bytes.count + 64)
    var ends: [Int] = []
    ends.reserveCapacity(count)
    // Should this fail, nobody knows what has changed since.
    text.ends = nil
    try writer.beginArray()
    for index in indices {
      try writer.element(self[index], at: index)
      ends.append(writer.count)
    }
    writer.endArray()
    text.replace(by: writer, ends)
  }
}
