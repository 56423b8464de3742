import SharingCore

/// An error in JSON bytes, or in a value that has no JSON form: its reason, offset and field.
///
/// ```swift
/// do {
///   let todos = try JSON.decode([Todo].self, from: bytes)
/// } catch {
///   print(error.description)
///   // Expected a string but found a number at byte 17 of [3].title: store a string there, or …
/// }
/// ```
/// A class, so that throwing functions pass on one word and not four.
public final class JSONError: Error, Equatable, Sendable {
  /// The kind of mistake.
  package let reason: Reason

  /// The place of the mistake: the number of bytes in front of it, read or (when encoding) written.
  ///
  /// ```swift
  /// let rest = bytes[error.offset...]
  /// ```
  public let offset: Int

  /// The field of the mistake, such as `todos[3].title` or `scores["a b"]`; empty for the outermost
  /// value. A path of more than 160 bytes lacks its middle: `next.next…next.title`.
  ///
  /// ```swift
  /// print(error.path)
  /// ```
  ///
  /// Reading records no path: it grows as an error travels outwards.
  package var path: String { steps.description }

  /// The path in UTF-8. Joining strings would add 20 kB of `String` in WebAssembly.
  private let steps: UTF8Text

  /// Up to 20 printable bytes of the text around the place, with `…` where it goes on; empty if the
  /// text is not known.
  let excerpt: UTF8Text

  /// An error for a value of the right kind that a type does not have, such as a start behind its
  /// end.
  ///
  /// ```swift
  /// let start = reader.offset
  /// let bounds = try Bounds.decode(from: &reader)
  /// guard bounds.start <= bounds.end else { throw JSONError(invalidValueAt: start) }
  /// ```
  ///
  /// - Parameter offset: the ``JSONReader/offset`` in front of the value; 0 while writing.
  public convenience init(invalidValueAt offset: Int) {
    self.init(.invalidValue, at: offset)
  }

  /// An error with an empty path.
  @usableFromInline
  package convenience init(_ reason: Reason, at offset: Int) {
    self.init(reason, at: offset, "", "")
  }

  init(_ reason: Reason, at offset: Int, _ steps: UTF8Text, _ excerpt: UTF8Text) {
    self.reason = reason
    self.offset = offset
    self.steps = steps
    self.excerpt = excerpt
  }

  /// Whether two errors have the same reason, offset and path.
  public static func == (left: JSONError, right: JSONError) -> Bool {
    left.reason == right.reason && left.offset == right.offset && left.steps == right.steps
  }
}

extension JSONError: CustomStringConvertible {
  /// One sentence with the mistake, its place and the remedy. A second one shows up to 20 bytes of
  /// the text there, and no more, since texts may be private.
  ///
  /// ```swift
  /// print(error.description)
  /// // "The JSON text ends too early at byte 4: it was cut off, restore the rest."
  /// ```
  public var description: String { text.description }

  /// The ``description`` in UTF-8, which links no `String` into a wasm program.
  public var text: UTF8Text {
    let of: StaticString = steps.isEmpty ? "" : " of "
    let sentence = reason.text(at: " at byte \(offset)\(of)\(steps)")
    return excerpt.isEmpty ? sentence : "\(sentence) The text there: \(excerpt)"
  }
}

extension JSONError {
  /// The longest part of a dictionary's key in a path, in bytes: a hostile key may have megabytes.
  private static let longestKey = 64

  /// The longest beginning and end of a path, in bytes; a recursive type may have long ones.
  private static let longestEnd = 80

  // None is inlined: every field and every element has a copy of its caller.

  /// This error, with an element's index in front of its path.
  @inline(never) @usableFromInline
  func inside(index: Int) -> JSONError {
    inside("[\(index)]")
  }

  /// This error, with an object's field in front of its path.
  @inline(never) @usableFromInline
  func inside(field: StaticString) -> JSONError {
    inside(UTF8Text(stringLiteral: field))
  }

  /// This error, with a dictionary's key in front of its path.
  @inline(never) @usableFromInline
  func inside(key: UTF8Text) -> JSONError {
    let bytes = [UInt8](key.bytes.prefix(Self.longestKey))
    return inside("[\"\(UTF8Text(bytes))\"]")
  }

  /// This error, with one more step in front of its path, and a point between it and a field.
  private func inside(_ step: UTF8Text) -> JSONError {
    let isIndexNext = steps.isEmpty || steps.bytes[0] == UInt8(ascii: "[")
    let point: StaticString = isIndexNext ? "" : "."
    return JSONError(reason, at: offset, Self.shortened("\(step)\(point)\(steps)"), excerpt)
  }

  /// Leaves the middle of a long path out.
  private static func shortened(_ path: UTF8Text) -> UTF8Text {
    let count = path.bytes.count
    if count <= 2 * longestEnd { return path }
    var bytes: [UInt8] = []
    for index in 0..<count where index < longestEnd || index >= count - longestEnd {
      if index == count - longestEnd { bytes += [0xE2, 0x80, 0xA6] }  // an ellipsis
      bytes.append(path.bytes[index])
    }
    return UTF8Text(bytes)
  }

  /// This error, with the bytes around its place in the text.
  @inline(never) @usableFromInline
  func showing(_ text: UnsafeRawBufferPointer) -> JSONError {
    if text.isEmpty || !excerpt.isEmpty { return self }
    return JSONError(reason, at: offset, steps, TextExcerpt.text(of: text, around: offset))
  }
}
