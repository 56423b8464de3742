/// An action of a person, by name: `data-click="increment"` in the page, `increment` on the command
/// line.
final class Action {
  let name: UTF8Text
  /// The meanings of the words to type, as in `edit ID TITLE`.
  let words: [StaticString]
  /// Runs the action with a text for each word.
  let run: ([UTF8Text]) throws(ActionError) -> Void

  init(
    _ name: StaticString, _ words: [StaticString],
    _ run: @escaping ([UTF8Text]) throws(ActionError) -> Void
  ) {
    self.name = "\(name)"
    self.words = words
    self.run = run
  }

  /// The name and the words, as in `edit ID TITLE`.
  var usage: UTF8Text {
    var usage = name
    for word in words { usage += " \(word)" }
    return usage
  }

  /// Splits the texts of a page, which it sends as one: `3 Buy milk`.
  /// - Returns: Nil if there are too few. The last one may be empty.
  func texts(in text: UTF8Text?) -> [UTF8Text]? {
    if words.isEmpty { return [] }
    guard let parts = text?.parts(at: UInt8(ascii: " "), atMost: words.count) else { return nil }
    return parts.count == words.count ? parts : nil
  }

  /// Returns the texts of a form's fields that the words name. Words without a field are the keys
  /// of the rows around the form, the outer ones first.
  /// - Parameter text: Names and texts in turn, separated by bytes of 0; a key has an empty name.
  /// - Returns: Nil if a field is missing.
  func texts(ofForm text: UTF8Text?) -> [UTF8Text]? {
    let fields = text?.parts(at: 0) ?? []
    var texts: [UTF8Text] = []
    var next = 0  // the next key
    for word in words {
      if let text = fields.text(named: word) {
        texts.append(text)
      } else if next + 1 < fields.count, fields[next].isEmpty {
        texts.append(fields[next + 1])
        next += 2
      } else {
        return nil
      }
    }
    return texts
  }
}

extension [UTF8Text] {
  /// Returns the text behind a name, without regard to the case of ASCII letters.
  fileprivate func text(named name: StaticString) -> UTF8Text? {
    var index = 0
    while index + 1 < count {
      if self[index].isEqual(to: name) { return self[index + 1] }
      index += 2
    }
    return nil
  }
}

/// The reason why an action is refused, as a sentence for the person: the page shows it under
/// "refused", a command ends with it.
///
/// ```swift
/// #expect(throws: ActionError("A todo needs a title.")) { try page.perform("add") }
/// ```
/// An action refuses with `page.refuse("A todo needs a title.")`. A function that has no page
/// throws this error; a closure of several statements that calls it says so:
/// `{ title throws(ActionError) in … }`.
public struct ActionError: Error, Equatable {
  /// The sentence.
  public let reason: UTF8Text

  /// Creates an error with this sentence.
  public init(_ reason: UTF8Text) {
    self.reason = reason
  }
}

extension UTF8Text {
  /// Whether the text is a name, without regard to the case of ASCII letters.
  fileprivate func isEqual(to name: StaticString) -> Bool {
    guard bytes.count == name.utf8CodeUnitCount else { return false }
    for (index, byte) in bytes.enumerated() {
      let difference = byte ^ name.utf8Start[index]
      let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
      guard difference == 0 || difference == 0x20 && isLetter else { return false }
    }
    return true
  }

  /// Returns the texts between these bytes. The last one may contain more of them.
  func parts(at byte: UInt8, atMost limit: Int = .max) -> [UTF8Text] {
    var parts: [UTF8Text] = []
    var part: [UInt8] = []
    for other in bytes {
      if other == byte, parts.count + 1 < limit {
        parts.append(UTF8Text(part))
        part = []
      } else {
        part.append(other)
      }
    }
    parts.append(UTF8Text(part))
    return parts
  }
}
