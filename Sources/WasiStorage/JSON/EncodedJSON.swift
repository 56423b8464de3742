/// A value's JSON text, which is brought up to date when the value changes.
///
/// ```swift
/// var text = EncodedJSON()
/// try text.update(to: todos)  // writes all of them
/// todos[3].completed = true
/// try text.update(to: todos, changed: [3])  // writes one, and copies the rest
/// ```
///
/// Of an array, the text of each element is known, and an element that has not changed is not
/// encoded again. Every other value is written as a whole.
public struct EncodedJSON: Sendable {
  /// The text in UTF-8, without white space; empty before the first update.
  ///
  /// ```swift
  /// try store.set(text.bytes, for: key)
  /// ```
  public internal(set) var bytes: [UInt8] = []

  /// Where the text of each element ends; nil when this is not the text of an array.
  var ends: [Int]?

  /// No text yet.
  ///
  /// ```swift
  /// var text = EncodedJSON()
  /// ```
  public init() {}

  @usableFromInline
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Makes this the text of the value.
  ///
  /// ```swift
  /// try text.update(to: todos, changed: [3])
  /// ```
  ///
  /// - Parameters:
  ///   - value: what to write.
  ///   - changed: which elements of an array may differ from those at the last update, even if it
  ///     has failed, ascending, and which are new at the end; nil when that is not known, or when
  ///     others have come or gone.
  /// - Throws: ``JSONError`` as from ``JSON/encode(_:capacity:)``; the text is then as it was.
  @inlinable
  public mutating func update(
    to value: some JSONValue, changed: [Int]? = nil
  ) throws(JSONError) {
    try value.encode(over: &self, changed: changed)
  }

  /// Whether the text has just these bytes.
  ///
  /// ```swift
  /// if !text.holds(stored) { … }
  /// ```
  ///
  /// Faster than `==`, which compares one byte at a time in WebAssembly.
  public func holds(_ other: [UInt8]) -> Bool {
    bytes.holdsSame(as: other)
  }
}

extension [UInt8] {
  /// Whether these are the same bytes.
  func holdsSame(as other: [UInt8]) -> Bool {
    withUnsafeBytes { bytes in other.withUnsafeBytes { bytes.holdsSame(as: $0) } }
  }
}

extension JSONValue {
  /// Writes the value as a whole.
  @inlinable
  public func encode(over text: inout EncodedJSON, changed: [Int]?) throws(JSONError) {
    text = EncodedJSON(try JSON.encode(self, capacity: text.bytes.count + 64))
  }
}

extension UnsafeRawBufferPointer {
  /// Whether these are the same bytes.
  func holdsSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard baseAddress != other.baseAddress else { return true }
    var index = 0
    while count - index >= 8 {
      let word = loadUnaligned(fromByteOffset: index, as: UInt64.self)
      guard word == other.loadUnaligned(fromByteOffset: index, as: UInt64.self) else {
        return false
      }
      index += 8
    }
    while index < count, self[index] == other[index] { index += 1 }
    return index == count
  }
}
