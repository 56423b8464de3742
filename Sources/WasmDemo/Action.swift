import SharingCore

/// Something a person can do, by name: `data-click="increment"` in the page, `increment` on the
/// command line.
final class Action {
  /// What one types: the name, and the words that follow it.
  let usage: UTF8Text
  /// Bytes and not `String`, whose comparison would link the Unicode tables.
  let name: [UInt8]
  let wordCount: Int
  /// Does it, unless something about the words is wrong: then it says what.
  let run: (_ word: [UInt8], _ rest: [UInt8]) -> UTF8Text?

  /// An action with up to two words: `edit ID TITLE`.
  init(_ usage: StaticString, _ run: @escaping ([UInt8], [UInt8]) -> UTF8Text?) {
    self.usage = "\(usage)"
    self.run = run
    let (name, words) = split(self.usage.bytes)
    self.name = name
    wordCount = words.isEmpty ? 0 : split(words).rest.isEmpty ? 1 : 2
  }

  convenience init(_ name: StaticString, _ run: @escaping () -> Void) {
    self.init(name) { _, _ in
      run()
      return nil
    }
  }

  /// Does it with what a page sends as one text: `3 Buy milk`.
  func run(with text: [UInt8]) {
    let (word, rest) = wordCount > 1 ? split(text) : (text, [])
    _ = run(word, rest)
  }
}

/// What is before and behind the first space.
private func split(_ text: [UInt8]) -> (word: [UInt8], rest: [UInt8]) {
  let space = text.firstIndex(of: UInt8(ascii: " ")) ?? text.count
  return (Array(text[0..<space]), Array(text[min(space + 1, text.count)..<text.count]))
}

extension [Action] {
  /// The action of that name.
  func named(_ name: [UInt8]) -> Action? {
    for action in self where action.name == name { return action }
    return nil
  }

  /// What one types on a command line.
  var usage: UTF8Text {
    var usage: UTF8Text = ""
    for action in self {
      if !usage.isEmpty { usage += ", " }
      usage += action.usage
    }
    return usage
  }
}
