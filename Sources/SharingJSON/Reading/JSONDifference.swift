import SharingCore

/// The elements at which another text differs from that of an array.
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
@usableFromInline
struct JSONDifference {
  /// The changes of the elements. All elements that have changed or are new were read.
  @usableFromInline private(set) var changes = ElementChanges.anything

  /// The elements of the old array that new ones replace; its end, if the others have at most
  /// changed.
  @usableFromInline private(set) var replaced: Range<Int>

  /// The elements of the old text that others of the new text replace, the ends of the latter, and
  /// the shift of the ends after them.
  private let moved: Range<Int>
  private var ends: [Int] = []
  private let growth: Int
  /// Whether the elements that were read have members without a field.
  private(set) var hasSkippedMembers = false

  /// Nil if all of the new text has to be read: it is not that of an array, ends differently, is
  /// not JSON, or elements have changed in one place and were added or removed in another.
  /// - Parameters:
  ///   - old: The text of an array, without white space.
  ///   - ends: The ends of its elements: the offset of the comma or bracket after each.
  ///   - read: Reads one element.
  init?(
    from old: UnsafeRawBufferPointer, _ ends: UnsafeBufferPointer<Int>,
    to new: UnsafeRawBufferPointer, _ read: (inout JSONReader) throws(JSONError) -> Void
  ) {
    growth = new.count &- old.count
    let same = old.sameAtStart(as: new)
    let tail = new.count &- old.sameAtEnd(as: new)
    var changed: [Int] = []
    var first = partitioningIndex(ends.count) { ends[$0] >= same }
    var index = first
    var next = first  // the old element that would come next if the rest were the same
    var reader = JSONReader(unowned: new)
    reader.depth = 1
    reader.next += ends.start(of: first)
    guard same > 0 else { return nil }
    while true {
      let offset = reader.offset &- growth
      while next < ends.count, ends.start(of: next) < offset { next &+= 1 }
      let isBehind = reader.next[-1] == UInt8(ascii: "]")
      if ends.start(of: next) == offset, tail <= reader.offset, isBehind == (next == ends.count) {
        break
      }
      guard !isBehind else { return nil }
      if index < ends.count, reader.scan(same: old, ends.start(of: index), ends[index]) {
        if changed.isEmpty { first = index &+ 1 }
        next = max(next, first)
      } else {
        guard (try? read(&reader)) != nil else { return nil }
        reader.skipWhiteSpace()
        changed.append(index)
      }
      guard reader.scan(UInt8(ascii: ",")) || reader.scan(UInt8(ascii: "]")) else { return nil }
      if !changed.isEmpty { self.ends.append(reader.offset &- 1) }
      index &+= 1
    }
    moved = first..<next
    replaced = moved
    hasSkippedMembers = reader.hasSkippedMembers
    guard classify(index &- first, changed, ends.count) else { return nil }
  }

  /// Determines the kind of the changes.
  /// - Parameters:
  ///   - count: The number of elements that replace the old ones.
  ///   - oldCount: The number of elements of the old array.
  /// - Returns: False if a replacing element was not read, and so is missing.
  private mutating func classify(_ count: Int, _ changed: [Int], _ oldCount: Int) -> Bool {
    let isLonger = replaced.upperBound == oldCount && count > replaced.count
    if count == replaced.count || isLonger {
      changes = .changed(changed)
      replaced = oldCount..<oldCount
    } else if changed.count != count {
      return false
    } else if count == 0, replaced.count == 1 {
      changes = .removed(replaced.lowerBound)
    }
    return true
  }

  /// Updates the ends of the old text's elements to those of the new text.
  func move(_ ends: inout [Int]) {
    ends.replaceSubrange(moved, with: self.ends)
    guard growth != 0 else { return }
    for index in moved.lowerBound &+ self.ends.count..<ends.count { ends[index] &+= growth }
  }

  /// The elements that have changed or are new at the end; nil if others were added or removed.
  @usableFromInline var changed: [Int]? {
    guard case .changed(let changed) = changes else { return nil }
    return changed
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
