import SharingCore

/// At which elements another text differs from that of an array.
///
/// What is the same at the start and at the end of both is not read. At the comma or bracket in
/// front of an element, all that a reader of either text has in mind is that it is in the outermost
/// array: of what lies in the elements before, be it strings, escapes or other arrays, nothing is
/// left open. What it makes of the bytes behind therefore depends on these alone. So:
///
/// - Up to the last such place that both have before they differ, the new text says what the old
///   says.
/// - From there the new one is read, element by element, as strictly as any text.
/// - When that has come to the beginning of an element, and the old text has the same bytes from
///   the beginning of one of its elements to the end, the new one says from here what the old says
///   there. So it is behind the array's bracket. No comma or bracket within a string is taken for
///   such a place: there, neither text has an element.
///
/// An element that has the same bytes as the old one at its position, and then a comma or bracket,
/// is not read either.
@usableFromInline
struct JSONDifference {
  /// What has happened to the elements. Those that have changed were all read, and so were all new
  /// ones.
  @usableFromInline private(set) var changes = ElementChanges.anything

  /// The elements of the old array in whose place new ones come; the end of it, where all others
  /// have at most changed.
  @usableFromInline private(set) var replaced: Range<Int>

  /// The elements of the old text in whose place the new one has others, where those end, and how
  /// much further those behind them.
  private let moved: Range<Int>
  private var ends: [Int] = []
  private let growth: Int
  /// Whether the elements that were read have members that no field took.
  private(set) var hasSkippedMembers = false

  /// Nil where all of the new text has to be read: it is not that of an array, ends differently, is
  /// no JSON, or elements have changed in one place and come or gone in another.
  /// - Parameters:
  ///   - old: The text of an array, without white space.
  ///   - ends: Where its elements end: at the comma or bracket behind each.
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
    guard settle(index &- first, changed, ends.count) else { return nil }
  }

  /// Finds words for what has happened.
  /// - Parameters:
  ///   - count: How many elements come in place of those replaced.
  ///   - oldCount: How many elements the old array has.
  /// - Returns: False where some that come were not read, so that nobody has them.
  private mutating func settle(_ count: Int, _ changed: [Int], _ oldCount: Int) -> Bool {
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

  /// Makes the ends of the elements of the old text those of the new one.
  func move(_ ends: inout [Int]) {
    ends.replaceSubrange(moved, with: self.ends)
    guard growth != 0 else { return }
    for index in moved.lowerBound &+ self.ends.count..<ends.count { ends[index] &+= growth }
  }

  /// The elements that have changed or are new at the end; nil where others have come or gone.
  @usableFromInline var changed: [Int]? {
    guard case .changed(let changed) = changes else { return nil }
    return changed
  }
}

extension UnsafeBufferPointer<Int> {
  /// Where an element begins; the one behind the last begins behind the array.
  fileprivate func start(of index: Int) -> Int { index == 0 ? 1 : self[index &- 1] &+ 1 }
}

extension JSONReader {
  /// Reads an element of another text, if it is next and a comma or bracket behind it.
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
