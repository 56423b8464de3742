/// Text as UTF-8 bytes, written like a string.
///
/// ```swift
/// let text: UTF8Text = "count: \(count)"
/// ```
/// A wasm program does not need a `String` to show text or report a message: joining and
/// interpolating strings links 10 kB (gzip) of code, this links next to nothing.
public struct UTF8Text: Hashable, Sendable {
  /// The bytes.
  public private(set) var bytes: [UInt8]

  /// Creates text from UTF-8 bytes.
  public init(_ bytes: [UInt8] = []) {
    self.bytes = bytes
  }

  /// Creates text from a string.
  public init(_ string: String) {
    bytes = utf8Bytes(of: string)
  }

  /// Whether the text is empty.
  public var isEmpty: Bool { bytes.isEmpty }

  /// Appends other text.
  @inline(never)
  public static func += (left: inout UTF8Text, right: UTF8Text) {
    right.bytes.withUnsafeBufferPointer { left.append($0) }
  }
}

extension UTF8Text: ExpressibleByStringInterpolation {
  /// Creates text from a literal.
  @inline(never)
  public init(stringLiteral literal: StaticString) {
    self.init()
    append(literal)
  }

  /// Creates text from a literal with interpolated values.
  public init(stringInterpolation: Interpolation) {
    self = stringInterpolation.text
  }

  /// Collects the pieces of an interpolated literal.
  public struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = UTF8Text()

    /// Creates an empty interpolation and reserves nothing: reserving here would be most of the
    /// code at each place that interpolates text.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends a piece of the literal. If a value ends the literal, the compiler passes an empty
    /// piece.
    @inline(__always)
    public mutating func appendLiteral(_ literal: StaticString) {
      if literal.utf8CodeUnitCount > 0 { text.append(literal) }
    }

    /// Appends other text.
    public mutating func appendInterpolation(_ other: UTF8Text) { text += other }

    /// Appends a constant.
    package mutating func appendInterpolation(_ constant: StaticString) { appendLiteral(constant) }

    /// Appends a key's name.
    package mutating func appendInterpolation(_ name: KeyName) { text += UTF8Text(name.bytes) }

    /// Appends a key's name for messages, as in `LoadContinuation("\(key)") { … }`.
    public mutating func appendInterpolation(_ key: some SharedReaderKey) { text += key.label }

    /// Appends a whole number in decimal.
    public mutating func appendInterpolation(_ number: Int) { text.append(number) }
  }

  // Not inlined: called in many places, never where time matters.
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
  /// Appends a byte without inlining the growth of the array. Use it where time does not matter.
  @inline(never)
  package mutating func put(_ byte: UInt8) {
    append(byte)
  }
}

extension UTF8Text: CustomStringConvertible {
  /// The text as a string.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}
