import SharingCore
import SharingJSON

/// The members of a stored JSON text that the value's type lacks: a newer version of the program
/// has written them. They are written again with the value.
///
/// ```
/// stored  {"id":1,"done":false,"due":"Friday"}    due is a field of a newer version
/// known   {"id":1,"done":false}                   the type's own text of the same value
/// value   {"id":1,"done":true}                    the type's text of the changed value
/// written {"id":1,"done":true,"due":"Friday"}
/// ```
/// They stay with their object, which is identified by its member name or, in an array, by its id.
package struct UnknownMembers: Sendable {
  /// The stored text from its bracket on. An object's has no white space; unchanged elements of an
  /// array keep theirs.
  private let stored: [UInt8]
  /// The type's own text of the same value.
  private let known: [UInt8]

  /// Returns nil if the type itself writes all members of the stored text.
  init?(in stored: [UInt8], beside known: [UInt8]) {
    let isArray = known.first == UInt8(ascii: "[")
    let bracket = UInt8(ascii: "[")
    self.stored = isArray ? Array(stored.drop { $0 != bracket }) : stored.withoutWhiteSpace
    self.known = known
    if self.stored.holdsSame(as: known) { return nil }
  }

  /// Returns a value's text with the members added; the text as it is if they would change the
  /// decoded value.
  package func added(to text: [UInt8], _ coding: AnyStorageCoding) -> [UInt8] {
    guard let merged = coding.memberWriter?.merge(known, text, stored) else { return text }
    let (wanted, result) = (try? coding.parts(of: text).known, try? coding.parts(of: merged).known)
    return ItemContents(result ?? nil) == ItemContents(wanted ?? nil) ? merged : text
  }
}

extension [UInt8] {
  /// A JSON text without the white space between its tokens, and without a byte order mark.
  fileprivate var withoutWhiteSpace: [UInt8] {
    var (isInString, isEscaped) = (false, false)
    return filter { byte in
      if isInString {
        let isEnd = byte == UInt8(ascii: "\"") && !isEscaped
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        isInString = !isEnd
        return true
      }
      isInString = byte == UInt8(ascii: "\"")
      return byte > 0x20 && byte < 0x80
    }
  }
}

extension AnyStorageCoding {
  /// Returns a text of the type with the members of a stored text that the type lacks.
  func addingUnknownMembers(of stored: [UInt8], to text: [UInt8]) -> [UInt8] {
    let unknown = try? parts(of: stored).unknown
    return (unknown ?? nil)?.added(to: text, self) ?? text
  }

  /// Returns the type's own text for the value of a text, and the members that the type lacks.
  /// - Parameter storesNil: Whether nil has bytes, since the default is another value.
  package func parts(
    of bytes: [UInt8], storesNil: Bool = false
  ) throws(AnyError) -> (known: [UInt8]?, unknown: UnknownMembers?) {
    var read = _EncodedJSON()
    var outcome: Result<[UInt8]?, AnyError> = .success(nil)
    try self.read(bytes, &read) { outcome = ownText(of: $0, storesNil: storesNil) }
    let known = try outcome.get()
    guard read.mayHaveUnknownMembers, let known else { return (known, nil) }
    return (known, UnknownMembers(in: bytes, beside: known))
  }

  /// Returns the type's own text of the value at an address.
  package func ownText(of value: UnsafeRawPointer, storesNil: Bool) -> Result<[UInt8]?, AnyError> {
    var json = _EncodedJSON()
    do throws(AnyError) {
      return .success(try text(of: value, &json, storesNil: storesNil))
    } catch {
      return .failure(error)
    }
  }
}
