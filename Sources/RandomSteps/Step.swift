import SharingCore

/// The action of a step of a walk or of a schedule.
package protocol StepAction: CaseIterable, Equatable {
  /// The first word of a step in text form.
  var word: StaticString { get }
}

/// One step of a walk or of a schedule. Its numbers are valid in every state, so that steps can be
/// removed.
package struct Step<Action: StepAction>: Equatable {
  package var action: Action
  package var a = 0
  package var b = 0

  /// The step in the form that ``init(_:)`` reads.
  package var text: UTF8Text { "\(action.word) \(a) \(b)" }

  package init(_ action: Action, _ a: Int = 0, _ b: Int = 0) {
    (self.action, self.a, self.b) = (action, a, b)
  }

  /// Parses a step such as `append 0 7`; returns nil if it is not valid.
  init?(_ text: ArraySlice<UInt8>) {
    let words = text.split(separator: UInt8(ascii: " "))
    guard let word = words.first else { return nil }
    for action in Action.allCases where UTF8Text("\(action.word)").bytes == Array(word) {
      self.init(action, Self.number(words, 1), Self.number(words, 2))
      return
    }
    return nil
  }

  private static func number(_ words: [ArraySlice<UInt8>], _ index: Int) -> Int {
    guard index < words.count else { return 0 }
    return words[index].reduce(0) { ($0 * 10 + Int($1) - 0x30) % 1_000_000 }
  }

  /// Returns the steps in the form that ``steps(_:)`` reads.
  package static func text(_ steps: [Step]) -> UTF8Text {
    var text = UTF8Text()
    for step in steps {
      if !text.isEmpty { text += "; " }
      text += step.text
    }
    return text
  }

  /// Parses steps such as `append 0 7; reverse 0`; nil if one of them is not a step.
  package static func steps(_ text: [UInt8]) -> [Step]? {
    var steps: [Step] = []
    for part in text.split(separator: UInt8(ascii: ";")) {
      guard let step = Step(part) else { return nil }
      steps.append(step)
    }
    return steps
  }
}
