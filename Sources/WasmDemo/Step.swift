import SharingCore

/// One action of a command line, with the words that belong to it.
final class Step {
  private let action: Action
  private let words: [[UInt8]]

  private init(_ action: Action, _ words: [[UInt8]]) {
    self.action = action
    self.words = words
  }

  /// Whether it depends on its words whether it can be done.
  var canBeRefused: Bool { action.wordCount > 0 }

  /// What a command line asks for: `add "Buy milk" increment` is two steps.
  static func all(in words: [[UInt8]], for app: App) throws(Refusal) -> [Step] {
    var steps: [Step] = []
    var index = 0
    while index < words.count {
      guard let action = app.actions.named(words[index]) else { throw .unknown(words[index], app) }
      let end = index + 1 + action.wordCount
      guard end <= words.count else { throw .incomplete(action) }
      steps.append(Step(action, Array(words[index + 1..<end])))
      index = end
    }
    if steps.isEmpty { throw .nothing(app) }
    return steps
  }

  /// Does it, as one turn.
  func run() throws(Refusal) {
    let refusal = batch { action.run(words) }
    if let refusal { throw Refusal(status: 1, message: "\(refusal) Nothing was done.") }
  }
}
