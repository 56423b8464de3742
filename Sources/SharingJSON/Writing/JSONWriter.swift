/// Writes values as JSON bytes, one after the other.
///
/// ```swift
/// func encode(into writer: inout JSONWriter) throws(JSONError) {
///   try degrees.encode(into: &writer)
/// }
/// ```
///
/// A type with a JSON form of its own receives a writer; programs call ``JSON``. A copy writes on
/// independently, so that a type can try a form and go back.
public struct JSONWriter {
  /// The bytes written so far: UTF-8 without white space. Each access copies them.
  @usableFromInline
  package var bytes: [UInt8] {
    // The empty array is shared by all threads, and would be written to.
    if count == 0 { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { copy, copied in
      if let start = copy.baseAddress { memory.copy(count, to: start) }
      copied = count
    }
  }

  /// The number of bytes written so far.
  @usableFromInline package private(set) var count = 0

  /// Whether integers of 2^53 and more are written as text, for pages: numbers of JavaScript are
  /// exact only below that.
  package var quotesLargeIntegers = false

  /// The number of open arrays and objects.
  var depth = 0

  /// Whether the innermost array or object has no item yet, and so needs no comma.
  private var isAtFirstItem = true

  /// The memory of the bytes. Copies of a writer share it until a second one of them writes.
  private var memory: JSONMemory
  /// Copies of the memory's properties, since reading them there would count references at every
  /// token.
  private var start: UnsafeMutablePointer<UInt8>
  private var end: Int
  private var written: UnsafeMutablePointer<Int>

  /// An empty writer.
  /// - Parameter capacity: the expected number of bytes.
  @usableFromInline
  package init(capacity: Int = 64) {
    memory = JSONMemory(capacity: capacity, behind: nil, 0)
    (start, end, written) = (memory.start, memory.capacity, memory.written)
  }

  /// An error at the present place of the writer.
  package func error(_ reason: JSONError.Reason) -> JSONError {
    JSONError(reason, at: count)
  }
}

// MARK: Nesting

extension JSONWriter {
  /// Opens an array or object.
  mutating func open(_ byte: UInt8) throws(JSONError) {
    guard depth < JSONReader.safeDepth || JSONReader.canOpen(at: depth) else {
      throw error(.tooDeep)
    }
    depth += 1
    put(byte)
    isAtFirstItem = true
  }

  /// Closes the innermost array or object.
  mutating func close(_ byte: UInt8) {
    depth -= 1
    put(byte)
    isAtFirstItem = false
  }

  /// Writes the comma between this item and the one before it.
  @usableFromInline
  package mutating func beginItem() {
    if !isAtFirstItem { put(UInt8(ascii: ",")) }
    isAtFirstItem = false
  }
}

// MARK: Memory

extension JSONWriter {
  /// The place for the next bytes, with room for `added` of them. ``didWrite(_:)`` then counts
  /// them.
  mutating func room(for added: Int) -> UnsafeMutablePointer<UInt8> {
    // Another writer may have written on from here: its bytes stay.
    if written.pointee != count || end &- count < added { growMemory(by: added) }
    return start + count
  }

  /// Counts bytes that were written to the room for them.
  mutating func didWrite(_ added: Int) {
    count &+= added
    written.pointee = count
  }

  /// Continues in another memory, which is larger than all before.
  @inline(never)
  private mutating func growMemory(by added: Int) {
    memory = JSONMemory(capacity: count + added, behind: memory, count)
    (start, end, written) = (memory.start - count, count + memory.capacity, memory.written)
  }
}
