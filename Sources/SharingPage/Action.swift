/// An action of a person, by name: `data-click="increment"` in the page, `increment` on the command
/// line.
final class Action {
  let name: UTF8Text
  /// The meanings of the words to type, as in `edit ID TITLE`.
  let words: [UTF8Text]
  /// Runs the action with a text for each word.
  let run: ([UTF8Text]) throws(ActionError) -> Void

  init(
    _ name: StaticString, _ words: [StaticString],
    _ run: @escaping ([UTF8Text]) throws(ActionError) -> Void
  ) {
    self.name = "\(name)"
    self.words = words.map { "\($0)" }
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
    guard var rest = text else { return nil }
    var texts: [UTF8Text] = []
    while texts.count < words.count - 1 {
      guard let (text, others) = rest.split(at: UInt8(ascii: " ")) else { return nil }
      texts.append(text)
      rest = others
    }
    return texts + [rest]
  }

  /// Returns the texts of a form's fields that the words name. A word without a field is the key of
  /// the form's row.
  /// - Parameter fields: Names and texts in turn. The key of the row has an empty name.
  /// - Returns: Nil if a field is missing.
  func texts(of fields: [UTF8Text]) -> [UTF8Text]? {
    var texts: [UTF8Text] = []
    for word in words {
      guard let text = fields.text(named: word) ?? fields.text(named: "") else { return nil }
      texts.append(text)
    }
    return texts
  }
}

extension [UTF8Text] {
  /// Returns the text behind a name, without regard to the case of ASCII letters.
  fileprivate func text(named name: UTF8Text) -> UTF8Text? {
    let name = name.lowercased
    var index = 0
    while index + 1 < count {
      if self[index].lowercased == name { return self[index + 1] }
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
  /// The text with small ASCII letters.
  fileprivate var lowercased: UTF8Text {
    UTF8Text(bytes.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 })
  }

  /// The texts between these bytes.
  func parts(at byte: UInt8) -> [UTF8Text] {
    var (parts, rest): ([UTF8Text], UTF8Text) = ([], self)
    while let (part, others) = rest.split(at: byte) {
      parts.append(part)
      rest = others
    }
    return parts + [rest]
  }

  /// The texts before and after the first of these bytes; nil if there is none.
  func split(at byte: UInt8) -> (UTF8Text, UTF8Text)? {
    guard let index = bytes.firstIndex(of: byte) else { return nil }
    return (UTF8Text(Array(bytes[..<index])), UTF8Text(Array(bytes[(index + 1)...])))
  }
}
