/// An action of a person, by name: `data-click="increment"` in the page, `increment` on the command
/// line.
final class Action {
  let name: UTF8Text
  /// The words to type, as in `edit ID TITLE`.
  let usage: UTF8Text
  /// The number of words after the name: at most two.
  let wordCount: Int
  /// Runs the action. An action without words ignores them.
  let run: (_ word: UTF8Text, _ rest: UTF8Text) throws(ActionError) -> Void

  init(
    _ name: StaticString, _ words: UTF8Text, count: Int,
    _ run: @escaping (_ word: UTF8Text, _ rest: UTF8Text) throws(ActionError) -> Void
  ) {
    self.name = "\(name)"
    usage = "\(name)\(words)"
    wordCount = count
    self.run = run
  }

  /// Runs the action with the words of a page, sent as one text: `3 Buy milk`.
  func run(with text: UTF8Text) throws(ActionError) {
    guard wordCount > 1, let space = text.bytes.firstIndex(of: UInt8(ascii: " ")) else {
      return try run(text, "")
    }
    try run(UTF8Text(Array(text.bytes[..<space])), UTF8Text(Array(text.bytes[(space + 1)...])))
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
