import SharingCore

/// Something a person can do, by name: `data-click="increment"` in the page, `increment` on the
/// command line.
final class Action {
  let name: StaticString
  /// What follows the name: `ID TITLE` in `edit ID TITLE`.
  let wordNames: StaticString
  let wordCount: Int
  /// Does it, unless something about the words is wrong: then it says what.
  let run: (_ words: [[UInt8]]) -> UTF8Text?

  convenience init(_ name: StaticString, _ run: @escaping () -> Void) {
    self.init(name, 0, "") { _ in
      run()
      return nil
    }
  }

  init(
    _ name: StaticString, _ wordCount: Int, _ wordNames: StaticString,
    _ run: @escaping ([[UInt8]]) -> UTF8Text?
  ) {
    self.name = name
    self.wordNames = wordNames
    self.wordCount = wordCount
    self.run = run
  }

  /// What one types.
  var usage: UTF8Text { wordCount == 0 ? "\(name)" : "\(name) \(wordNames)" }

  /// Bytes and not `String` are compared, which would link the Unicode tables.
  func isNamed(_ other: [UInt8]) -> Bool { UTF8Text("\(name)").bytes == other }

  /// The words in what a page sends as one text: `3 Buy milk`.
  func words(in text: [UInt8]) -> [[UInt8]] {
    guard wordCount > 1, let space = text.firstIndex(of: UInt8(ascii: " ")) else { return [text] }
    return [Array(text[..<space]), Array(text[(space + 1)...])]
  }
}

extension [Action] {
  /// The action of that name.
  func named(_ name: [UInt8]) -> Action? {
    first { $0.isNamed(name) }
  }

  /// What one types on a command line.
  var usage: UTF8Text {
    var usage: UTF8Text = ""
    for action in self { usage += usage.isEmpty ? action.usage : ", \(action.usage)" }
    return usage
  }
}
