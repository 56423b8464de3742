extension EncodedJSON {
  /// Takes over the text of an array.
  @usableFromInline
  mutating func replace(by writer: JSONWriter, _ ends: [Int]) {
    bytes = writer.bytes
    self.ends = ends
  }

  /// Puts new texts in place of old ones, and those of new elements behind them.
  @usableFromInline
  mutating func apply(_ edits: JSONEdits) {
    let ranges = ranges(of: edits)
    edits.writer.bytes.withUnsafeBytes { new in
      let isSame = bytes.withUnsafeBytes { old in
        ranges.indices.allSatisfy { index in
          UnsafeRawBufferPointer(rebasing: old[ranges[index]])
            .holdsSame(as: UnsafeRawBufferPointer(rebasing: new[edits[index].text]))
        }
      }
      guard !isSame else { return }
      bytes = bytes.withUnsafeBytes { Self.merged($0, ranges, edits, new) }
      move(ranges, edits)
    }
  }

  /// Where the old texts are; for a new element, where the array ends.
  private func ranges(of edits: JSONEdits) -> [Range<Int>] {
    guard let ends else { return [] }
    return (0..<edits.count).map { index in
      let place = edits[index].place
      guard place < ends.count else { return bytes.count - 1..<bytes.count - 1 }
      return (place == 0 ? 1 : ends[place - 1] + 1)..<ends[place]
    }
  }

  private static func merged(
    _ old: UnsafeRawBufferPointer, _ ranges: [Range<Int>], _ edits: JSONEdits,
    _ new: UnsafeRawBufferPointer
  ) -> [UInt8] {
    let count = ranges.reduce(old.count + new.count) { $0 - $1.count }
    return [UInt8](unsafeUninitializedCapacity: count) { target, count in
      var copied = 0
      for (index, range) in ranges.enumerated() {
        target.append(old[copied..<range.lowerBound], &count)
        target.append(new[edits[index].text], &count)
        copied = range.upperBound
      }
      target.append(old[copied...], &count)
    }
  }

  /// Notes where the elements end now.
  private mutating func move(_ ranges: [Range<Int>], _ edits: JSONEdits) {
    guard var ends else { return }
    self.ends = nil  // it would be copied
    let known = ends.count
    var shift = 0
    for (index, range) in ranges.enumerated() {
      let (place, text) = edits[index]
      let next = index + 1 < edits.count ? edits[index + 1].place : ends.count
      shift += text.count - range.count
      if place == ends.count { ends.append(range.upperBound + shift) }
      guard shift != 0, place < known else { continue }
      for moved in place..<min(next, known) { ends[moved] += shift }
    }
    self.ends = ends
  }
}

extension UnsafeMutableBufferPointer<UInt8> {
  /// Copies bytes behind those that are there.
  fileprivate func append(_ bytes: Slice<UnsafeRawBufferPointer>, _ count: inout Int) {
    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(self)[count...])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes))
    count += bytes.count
  }
}
