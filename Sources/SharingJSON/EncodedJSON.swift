import SharingCore

/// A value's JSON text. Updates the text when the value changes, and the value when the text
/// changes.
///
/// ```swift
/// var text = _EncodedJSON()
/// try text.update(to: todos)  // writes all of them
/// todos[3].completed = true
/// try text.update(to: todos, .changed([3]))  // writes one, and copies the rest
/// try text.read(stored, into: &todos)  // reads the elements whose text differs
/// ```
///
/// For an array, it knows the text of each element: an unchanged element is not encoded again, and
/// one with unchanged text is not decoded. Every other value is written and read as a whole.
public struct _EncodedJSON: Sendable {
  /// The text in UTF-8; empty before the first update. Elements that were read keep their text,
  /// others have no white space.
  ///
  /// ```swift
  /// try store.set(text.bytes, for: key)
  /// ```
  public internal(set) var bytes: [UInt8] = []

  /// The offset at which the text of each element ends; nil if this is not the text of an array, or
  /// an update of it has failed.
  @usableFromInline package var ends: [Int]?

  /// Whether the text that was read last may have members that its type does not have.
  @usableFromInline package var mayHaveUnknownMembers = false

  /// An empty text.
  ///
  /// ```swift
  /// var text = _EncodedJSON()
  /// ```
  public init() {}

  @usableFromInline
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Takes over the text of an array as it is, unless there is white space around it.
  @inline(never) @usableFromInline
  mutating func keep(_ bytes: [UInt8], _ ends: [Int]) {
    guard bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") else { return }
    self.bytes = bytes
    self.ends = ends
  }

  /// Updates the text to the value.
  ///
  /// ```swift
  /// try text.update(to: todos, .changed([3]))
  /// ```
  ///
  /// - Parameters:
  ///   - value: the value to write.
  ///   - changes: the changes of an array's elements since the last update, even if that has
  ///     failed. Only ``SharingCore/ElementChanges/changed(_:)`` keeps the text of the other
  ///     elements.
  /// - Throws: ``JSONError`` as from ``JSON/encode(_:capacity:)``; the text then stays as it was.
  @inlinable
  public mutating func update(
    to value: some JSONValue, _ changes: ElementChanges = .anything
  ) throws(JSONError) {
    try value._encode(over: &self, changes)
  }

  /// Updates a value, and this text, to another JSON text.
  ///
  /// ```swift
  /// let changes = try text.read(stored, into: &todos)
  /// ```
  ///
  /// Of an array, only elements whose bytes differ from their present text are decoded.
  /// - Parameters:
  ///   - bytes: a JSON text in UTF-8.
  ///   - value: the value with this text; any value if there is no text yet.
  /// - Returns: The elements that were decoded or removed; ``SharingCore/ElementChanges/anything``
  ///   for other changes, and for every value that is not an array.
  /// - Throws: ``JSONError`` as from `decode` of ``JSON``; the value then stays as it was.
  @inlinable @discardableResult
  public mutating func read<Value: JSONValue>(
    _ bytes: [UInt8], into value: inout Value
  ) throws(JSONError) -> ElementChanges {
    let patch = withUnsafePointer(to: value) { Value._patch?($0, bytes, &self) }
    if let patch {
      withUnsafeMutablePointer(to: &value) { patch.apply(to: $0) }
      return patch.changes
    }
    value = try JSON.decode(from: bytes)
    try? update(to: value)
    return .anything
  }

  /// Whether the text has exactly these bytes.
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
  /// Whether the bytes are equal. Not inlined, since it has many callers.
  @inline(never)
  package func holdsSame(as other: [UInt8]) -> Bool {
    withUnsafeBytes { bytes in other.withUnsafeBytes { bytes.holdsSame(as: $0) } }
  }
}

extension JSONValue {
  /// Writes the value as a whole.
  @inlinable
  public func _encode(
    over text: inout _EncodedJSON, _ changes: ElementChanges
  ) throws(JSONError) {
    text = _EncodedJSON(try JSON.encode(self, capacity: text.bytes.count + 64))
  }

  /// Keeps no text, since the value is written as a whole.
  @inlinable
  public static func _decode(
    _ bytes: [UInt8], keeping text: inout _EncodedJSON
  ) throws(JSONError) -> Self {
    try JSONReader.read(bytes) { (reader) throws(JSONError) in
      let value = try decode(from: &reader)
      text.mayHaveUnknownMembers = reader.hasSkippedMembers
      return value
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are equal.
  func holdsSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    return baseAddress == other.baseAddress || sameAtStart(as: other) == count
  }

  /// The number of equal bytes at the beginning. In WebAssembly, comparing a word is as fast as
  /// comparing a byte.
  package func sameAtStart(as other: UnsafeRawBufferPointer) -> Int {
    guard let start = baseAddress, let otherStart = other.baseAddress else { return 0 }
    let most = Swift.min(count, other.count)
    var same = 0
    while most &- same >= 8, start.word(at: same) == otherStart.word(at: same) { same &+= 8 }
    while same < most, self[same] == other[same] { same &+= 1 }
    return same
  }

  /// The number of equal bytes at the end.
  package func sameAtEnd(as other: UnsafeRawBufferPointer) -> Int {
    guard let start = baseAddress, let otherStart = other.baseAddress else { return 0 }
    let most = Swift.min(count, other.count)
    var (end, otherEnd) = (start + count, otherStart + other.count)
    let first = end - most
    while end - first >= 8, end.word(at: -8) == otherEnd.word(at: -8) {
      end -= 8
      otherEnd -= 8
    }
    var same = most &- (end - first)
    while same < most, self[count &- 1 &- same] == other[other.count &- 1 &- same] { same &+= 1 }
    return same
  }
}

extension UnsafeRawPointer {
  fileprivate func word(at offset: Int) -> UInt64 {
    loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
}
