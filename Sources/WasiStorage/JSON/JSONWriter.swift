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
    [UInt8](unsafeUninitializedCapacity: count) { copy, copied in
      withBytes { UnsafeMutableRawBufferPointer(copy).copyMemory(from: .init($0)) }
      copied = count
    }
  }

  /// How many bytes have been written.
  ///
  /// ```swift
  /// let start = writer.count
  /// ```
  public private(set) var count = 0

  /// Arrays and objects that are open.
  var depth = 0

  /// Keeps the bytes. Copies of a writer share it, until a second one of them writes.
  private var memory: JSONMemory
  /// What the memory says of itself: asking it would count references at every token.
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var written: UnsafeMutablePointer<Int>

  /// A writer without bytes yet.
  ///
  /// ```swift
  /// var writer = JSONWriter(capacity: 4096)
  /// ```
  ///
  /// - Parameter capacity: how many bytes to expect.
  public init(capacity: Int = 64) { self.init(JSONMemory(capacity: capacity)) }

  private init(_ memory: JSONMemory) {
    self.memory = memory
    start = memory.start
    capacity = memory.capacity
    written = memory.written
    count = written.pointee
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

// MARK: Memory

extension JSONWriter {
  /// Lends what has been written.
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withExtendedLifetime(memory) {
      body(UnsafeBufferPointer(start: start, count: count))
    }
  }

  /// The last byte; a writer without one answers an opening bracket.
  var last: UInt8 { count > 0 ? start[count &- 1] : UInt8(ascii: "[") }

  /// Where the next bytes go, with room for so many of them; ``wrote(_:)`` says how many came.
  @inline(__always)
  mutating func room(for added: Int) -> UnsafeMutablePointer<UInt8> {
    // Another writer may have gone on from here: its bytes stay.
    if written.pointee != count || capacity &- count < added { move(toRoomFor: added) }
    return start + count
  }

  /// Takes over bytes that have been put into the room for them.
  @inline(__always)
  mutating func wrote(_ added: Int) {
    count &+= added
    written.pointee = count
  }

  @inline(never)
  private mutating func move(toRoomFor added: Int) {
    let capacity = max(2 * count, count + added)
    let depth = depth
    self = withBytes { JSONWriter(JSONMemory($0, capacity: capacity)) }
    self.depth = depth
  }
}
