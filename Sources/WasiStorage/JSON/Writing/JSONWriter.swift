/// JSON bytes that grow by one value after the other.
///
/// ```swift
/// var writer = JSONWriter()
/// try [1, 2].encode(into: &writer)
/// print(writer.bytes.count)  // 5
/// ```
///
/// Most programs call ``JSON`` instead; a type with a JSON form of its own is handed a writer. A
/// copy writes on by itself, so that one can try a form and come back.
public struct JSONWriter {
  /// What has been written: UTF-8 without white space.
  ///
  /// ```swift
  /// let bytes = writer.bytes
  /// ```
  ///
  /// This copies them.
  public var bytes: [UInt8] {
    // The empty array is the same one for all threads, and would be written to.
    if count == 0 { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { copy, copied in
      if let start = copy.baseAddress { memory.copy(count, to: start) }
      copied = count
    }
  }

  /// How many bytes have been written.
  ///
  /// ```swift
  /// let start = writer.count
  /// ```
  public private(set) var count = 0

  /// Whether integers of 2^53 and more are written as text, for pages: their numbers, those of
  /// JavaScript, are exact below that only.
  package var quotesLargeIntegers = false

  /// Arrays and objects that are open.
  var depth = 0

  /// Whether the innermost array or object has no item yet, and so needs no comma.
  private var isAtFirstItem = true

  /// Keeps the bytes. Copies of a writer share it, until a second one of them writes.
  private var memory: JSONMemory
  /// What the memory says of itself: asking it would count references at every token.
  private var start: UnsafeMutablePointer<UInt8>
  private var end: Int
  private var written: UnsafeMutablePointer<Int>

  /// A writer without bytes yet.
  ///
  /// ```swift
  /// var writer = JSONWriter(capacity: 4096)
  /// ```
  ///
  /// - Parameter capacity: how many bytes to expect.
  public init(capacity: Int = 64) {
    memory = JSONMemory(capacity: capacity, behind: nil, 0)
    (start, end, written) = (memory.start, memory.capacity, memory.written)
  }

  /// An error at the place that the writer has reached.
  ///
  /// ```swift
  /// throw writer.error(.notFinite)
  /// ```
  public func error(_ reason: JSONError.Reason) -> JSONError {
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
  mutating func beginItem() {
    if !isAtFirstItem { put(UInt8(ascii: ",")) }
    isAtFirstItem = false
  }
}

// MARK: Memory

extension JSONWriter {
  /// Where the next bytes go, with room for so many of them; ``wrote(_:)`` says how many came.
  @inline(__always)
  mutating func room(for added: Int) -> UnsafeMutablePointer<UInt8> {
    // Another writer may have gone on from here: its bytes stay.
    if written.pointee != count || end &- count < added { goOn(withRoomFor: added) }
    return start + count
  }

  /// Takes over bytes that have been put into the room for them.
  @inline(__always)
  mutating func wrote(_ added: Int) {
    count &+= added
    written.pointee = count
  }

  /// Goes on in other memory: more than there has been so far.
  @inline(never)
  private mutating func goOn(withRoomFor added: Int) {
    memory = JSONMemory(capacity: count + added, behind: memory, count)
    (start, end, written) = (memory.start - count, count + memory.capacity, memory.written)
  }
}
