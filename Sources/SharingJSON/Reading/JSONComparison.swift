import SharingCore

/// The comparison of an array's text with another text: finds the elements that differ.
///
/// Equal bytes at the start and at the end of both texts are not read. At the comma or bracket in
/// front of an element, a reader of either text is in the outermost array and nowhere deeper: no
/// string, escape or inner array of the elements before is open. So the meaning of the next bytes
/// depends on these bytes alone:
///
/// - Up to the last such place before the first difference, both texts have the same meaning.
/// - From there on, the new text is read, element by element, as strictly as any text.
/// - If the reader is at the beginning of an element, and the old text has the same bytes from the
///   beginning of one of its elements to the end, both texts have the same meaning from there on.
///   The same holds after the array's bracket. A comma or bracket in a string is not such a place,
///   since neither text has an element there.
///
/// An element with the same bytes as the old one at its position, and a comma or bracket after
/// them, is not read either.
struct JSONComparison {
  /// The changes of the elements. All elements that have changed or are new were read.
  private(set) var changes = ElementChanges.none
  /// Whether the elements that were read have members without a field.
  private(set) var hasSkippedMembers = false

  /// The old elements whose ends are replaced by `ends`; those behind them are shifted by `growth`.
  private var moved: Range<Int>
  private var ends: [Int] = []
  private let growth: Int

  /// Nil if all of the new text has to be read: it is not that of an array, ends differently, is
  /// not JSON, or differs by more than changed elements, new ones at the end, or one removed.
  /// - Parameters:
  ///   - old: The text of an array, without white space.
  ///   - oldEnds: The ends of its elements: the offset of the comma or bracket after each.
  ///   - read: Reads one element.
  init?(
    of old: UnsafeRawBufferPointer, _ oldEnds: UnsafeBufferPointer<Int>,
    with new: UnsafeRawBufferPointer, _ read: (inout JSONReader) throws(JSONError) -> Void
  ) {
    growth = new.count &- old.count
    let same = old.sameAtStart(as: new)
    guard same > 0 else { return nil }
    let tail = new.count &- old.sameAtEnd(as: new)
    let first = partitioningIndex(oldEnds.count) { oldEnds[$0] >= same }
    moved = first..<first
    var reader = JSONReader(unowned: new)
    reader.depth = 1
    reader.next += oldEnds.start(of: first)
    var index = first
    while !isRestSame(at: index, oldEnds, reader, tail) {
      guard reader.next[-1] != UInt8(ascii: "]") else { return nil }
      if index >= oldEnds.count || !reader.scan(same: old, oldEnds.start(of: index), oldEnds[index])
      {
        guard (try? read(&reader)) != nil else { return nil }
        reader.skipWhiteSpace()
        changes.insert(index)
        if changes == .anything { return nil }
      }
      guard reader.scan(UInt8(ascii: ",")) || reader.scan(UInt8(ascii: "]")) else { return nil }
      ends.append(reader.offset &- 1)
      index &+= 1
    }
    hasSkippedMembers = reader.hasSkippedMembers
  }

  /// Whether both texts are the same from a new element on. Then determines the old elements before
  /// that: as many as the new ones, or one more if one was removed.
  /// - Parameters:
  ///   - reader: At the beginning of the new element, or behind the array.
  ///   - tail: The offset from which on both texts have the same bytes.
  private mutating func isRestSame(
    at index: Int, _ oldEnds: UnsafeBufferPointer<Int>, _ reader: JSONReader, _ tail: Int
  ) -> Bool {
    guard tail <= reader.offset else { return false }
    let isBehind = reader.next[-1] == UInt8(ascii: "]")
    func isSame(from rest: Int) -> Bool {
      oldEnds.start(of: rest) == reader.offset &- growth && isBehind == (rest == oldEnds.count)
    }
    let rest = min(index, oldEnds.count)
    if isSame(from: rest) {
      moved = moved.lowerBound..<rest
      return true
    }
    guard changes == .none, index < oldEnds.count, isSame(from: index &+ 1) else { return false }
    changes = .removed(index)
    moved = moved.lowerBound..<index &+ 1
    return true
  }

  /// Updates the ends of the old text's elements to those of the new text.
  func move(_ ends: inout [Int]) {
    ends.replaceSubrange(moved, with: self.ends)
    guard growth != 0 else { return }
    for index in moved.lowerBound &+ self.ends.count..<ends.count { ends[index] &+= growth }
  }
}

extension UnsafeBufferPointer<Int> {
  /// The beginning of an element; for the index after the last one, the offset after the array.
  fileprivate func start(of index: Int) -> Int { index == 0 ? 1 : self[index &- 1] &+ 1 }
}

extension JSONReader {
  /// Skips an element with the same bytes as in another text, if a comma or bracket follows it.
  fileprivate mutating func scan(
    same text: UnsafeRawBufferPointer, _ start: Int, _ end: Int
  ) -> Bool {
    let count = end &- start
    guard self.end - next > count,
      next[count] == UInt8(ascii: ",") || next[count] == UInt8(ascii: "]"),
      UnsafeRawBufferPointer(rebasing: text[start..<end])
        .sameAtStart(as: UnsafeRawBufferPointer(start: next, count: count)) == count
    else { return false }
    next += count
    return true
  }
}
