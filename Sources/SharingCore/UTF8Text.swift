/// Text as UTF-8 bytes, written like a string.
///
/// ```swift
/// let text: UTF8Text = "count: \(count)"
/// ```
/// What a wasm program shows and tells need not be a `String`: joining and interpolating those
/// links 10 kB (gzip) of code, this links next to nothing.
public struct UTF8Text: Equatable, Sendable {
  /// The bytes.
  public private(set) var bytes: [UInt8]

  /// Text from bytes that are UTF-8.
  public init(_ bytes: [UInt8] = []) {
    self.bytes = bytes
  }

  /// The bytes of a string.
  public init(_ string: String) {
    bytes = utf8Bytes(of: string)
  }

  /// Whether there are no bytes.
  public var isEmpty: Bool { bytes.isEmpty }

  /// Appends other text.
  @inline(never)
  public static func += (left: inout UTF8Text, right: UTF8Text) {
    right.bytes.withUnsafeBufferPointer { left.append($0) }
  }
}

extension UTF8Text: ExpressibleByStringInterpolation {
  /// Text from a literal.
  @inline(never)
  public init(stringLiteral literal: StaticString) {
    self.init()
    append(literal)
  }

  /// Text from a literal with values in it.
  public init(stringInterpolation: Interpolation) {
    self = stringInterpolation.text
  }

  /// What the compiler calls for the pieces of a literal.
  public struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = UTF8Text()

    /// Nothing yet. Each piece makes room for itself: to reserve it here would be most of what
    /// stands where text is put together.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends a piece of the literal; the compiler has an empty one behind a value that ends it.
    @inline(__always)
    public mutating func appendLiteral(_ literal: StaticString) {
      if literal.utf8CodeUnitCount > 0 { text.append(literal) }
    }

    /// Appends other text.
    public mutating func appendInterpolation(_ other: UTF8Text) { text += other }

    /// Appends a constant.
    public mutating func appendInterpolation(_ constant: StaticString) { appendLiteral(constant) }

    /// Appends a key's name.
    public mutating func appendInterpolation(_ name: KeyName) { text += UTF8Text(name.bytes) }

    /// Appends a whole number in decimal.
    public mutating func appendInterpolation(_ number: Int) { text.append(number) }
  }

  // Not inlined: this is called all over the program, and never where time counts.
  @inline(never)
  private mutating func append(_ other: UnsafeBufferPointer<UInt8>) {
    for byte in other { bytes.put(byte) }
  }

  @inline(never)
  private mutating func append(_ literal: StaticString) {
    append(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  @inline(never)
  private mutating func append(_ number: Int) {
    if number < 0 { bytes.put(UInt8(ascii: "-")) }
    append(digits: number.magnitude)
  }

  private mutating func append(digits number: UInt) {
    if number > 9 { append(digits: number / 10) }
    bytes.put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }
}

extension [UInt8] {
  /// Appends a byte. Appending grows an array in line, unless it is told not to: this is for where
  /// time does not count.
  @inline(never)
  package mutating func put(_ byte: UInt8) {
    append(byte)
  }
}

extension UTF8Text: CustomStringConvertible {
  /// The text as a string.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}
