import SharingCore
import WasiStorage

/// Reads the steps of ``JournaledSteps``.
struct JournalReader {
  private let words: [UTF8Text?]
  private var index = 0
  /// The last text of the current key.
  private var former: [UInt8] = []
  private var isWhole = true

  init(_ words: [UTF8Text?]) {
    self.words = words
  }

  /// Reads the remaining steps; nil if there are none, or the words are not valid.
  mutating func steps() -> [JournaledStep]? {
    var steps: [JournaledStep] = []
    while index < words.count {
      guard let step = nextStep(behind: steps.last), isWhole else { return nil }
      steps.append(step)
    }
    return steps.isEmpty ? nil : steps
  }

  private mutating func nextStep(behind last: JournaledStep?) -> JournaledStep? {
    guard let number = nextNumber() else { return nil }
    guard let word = nextWord() else {
      guard let last else { return nil }
      return JournaledStep(
        number: number, kind: last.kind, key: last.key, before: last.after, after: nextText(),
        defaultText: last.defaultText)
    }
    guard let kind = word.number.flatMap({ JournaledStep.Kind(rawValue: $0) }) else { return nil }
    let key = KeyName(bytes: nextWord()?.bytes ?? [])
    var defaultText = nextWord()?.bytes
    if let last, last.key == key { defaultText = last.defaultText } else { former = [] }
    return JournaledStep(
      number: number, kind: kind, key: key, before: nextText(), after: nextText(),
      defaultText: defaultText)
  }

  /// Reads a text: the number of bytes that the former text has in common at its beginning, the
  /// number at its end, and the bytes between.
  private mutating func nextText() -> [UInt8]? {
    let (start, end, middle) = (nextNumber() ?? -1, nextNumber() ?? -1, nextWord())
    guard let middle else { return nil }
    guard min(start, end) >= 0, max(start, end) <= former.count else {
      isWhole = false
      return nil
    }
    var text = UTF8Text(Array(former[0..<start]))
    text += middle
    text += UTF8Text(Array(former[former.count - end..<former.count]))
    former = text.bytes
    return former
  }

  // Not inlined: they are called at many places, and their speed does not matter.
  @inline(never)
  mutating func nextNumber() -> Int? { nextWord()?.number }

  @inline(never)
  private mutating func nextWord() -> UTF8Text? {
    guard index < words.count else {
      isWhole = false
      return nil
    }
    index += 1
    return words[index - 1]
  }
}
