/// Reads values from JSON bytes, one after the other.
///
/// ```swift
/// static func decode(from reader: inout JSONReader) throws(JSONError) -> Celsius {
///   Celsius(degrees: try Double.decode(from: &reader))
/// }
/// ```
///
/// A type with a JSON form of its own receives a reader; programs call ``JSON``. A copy reads on
/// independently, so that a type can try a form and go back.
public struct JSONReader {
  /// The greatest number of nested arrays and objects: 512.
  ///
  /// Deeper text is an error and not a stack overflow; types that nest through `decode` are counted
  /// too. In WebAssembly, fewer levels are an error if they would leave less than an eighth of the
  /// stack. A type of five fields that contains itself took between 128 and 256 kB for all levels
  /// (measured), and the linker's default is 64 kB: link with `-z stack-size=524288 --stack-first`.
  package static var maximumDepth: Int { 512 }

  /// The number of bytes read so far.
  ///
  /// ```swift
  /// let start = reader.offset
  /// ```
  public var offset: Int { next - start }

  /// The next byte; every access is preceded by a comparison with the end.
  package var next: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>
  let start: UnsafePointer<UInt8>

  /// The number of open arrays and objects.
  var depth = 0

  /// The members of the object whose fields are being read.
  @usableFromInline var members = JSONMembers()

  /// Whether an object had a member without a field.
  @usableFromInline package var hasSkippedMembers = false

  /// The owner of the bytes; nil if the caller keeps them alive.
  private var owner: JSONMemory?

  /// A reader of its own copy of the bytes.
  package init(_ bytes: [UInt8]) {
    let owner = JSONMemory(capacity: bytes.count, behind: nil, 0)
    bytes.withUnsafeBytes { copy in
      UnsafeMutableRawBufferPointer(start: owner.start, count: bytes.count).copyMemory(from: copy)
    }
    self.init(unowned: UnsafeRawBufferPointer(start: owner.start, count: bytes.count))
    self.owner = owner
  }

  /// A reader of memory that the caller keeps alive and unchanged while the reader is used. It
  /// begins behind a byte order mark.
  @inline(never) @usableFromInline
  package init(unowned bytes: UnsafeRawBufferPointer) {
    // Empty bytes may have no address, but `start` and `end` need one.
    start = bytes.bindMemory(to: UInt8.self).baseAddress ?? UnsafePointer(bitPattern: 1)!
    next = start + JSON.byteOrderMarkLength(bytes)
    end = start + bytes.count
  }

  /// Calls `body` with a reader of the bytes, and checks that it has read all of them.
  @inlinable
  static func read<Value>(
    _ bytes: [UInt8], _ body: (inout JSONReader) throws(JSONError) -> Value
  ) throws(JSONError) -> Value {
    try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) in
      try read(UnsafeRawBufferPointer(buffer), body)
    }
  }

  /// The same, for bytes in memory of another owner.
  @inlinable
  static func read<Value>(
    _ bytes: UnsafeRawBufferPointer, _ body: (inout JSONReader) throws(JSONError) -> Value
  ) throws(JSONError) -> Value {
    var reader = JSONReader(unowned: bytes)
    do throws(JSONError) {
      let value = try body(&reader)
      try reader.finish()
      return value
    } catch {
      throw error.showing(bytes)
    }
  }

  /// The kind of the next value; the reader is then at its first byte.
  /// - Throws: ``JSONError`` if no value begins there.
  package mutating func kind() throws(JSONError) -> JSONKind {
    skipWhiteSpace()
    guard let kind = kindHere else { throw unexpected() }
    return kind
  }

  /// Checks that only white space follows.
  /// - Throws: ``JSONError`` with the reason `trailingBytes` otherwise.
  @usableFromInline
  package mutating func finish() throws(JSONError) {
    skipWhiteSpace()
    guard next == end else { throw error(.trailingBytes) }
  }

  /// An error at the present place of the reader.
  package func error(_ reason: JSONError.Reason) -> JSONError { JSONError(reason, at: offset) }
}
