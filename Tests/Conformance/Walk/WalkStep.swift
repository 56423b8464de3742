import SharingCore

/// What is done in one step of a ``Walk``.
enum WalkAction: UInt8, CaseIterable {
  // Changes of a list: which one is the step's first number.
  case field, title, at, element, append, remove, whole, reverse, empty, fill, renumber, fail
  // Elements that are kept: the first number is their list's, or theirs.
  case hold, holdAt, held, release
  // Changes of the page.
  case number, name, page, extra, noExtra, inExtra
  // Batches: what stands between these two is one turn.
  case begin, end
  // Another program: the first number is the list's.
  case other, otherHeard, removed, damaged, tell
  // The store.
  case full, room, stamps
  case load, save, reset, loadAll
  // What comes later: time, and the answers of the key that answers late.
  case wait, flush, answer, refuse, outside, yield
  // The wrapper that is pointed elsewhere.
  case point, pointAnew, pointByKey
  // Observers.
  case observe, cancel, status

  /// How a step begins that is written down.
  var word: StaticString {
    switch self {
    case .field: "field"
    case .title: "title"
    case .at: "at"
    case .element: "element"
    case .append: "append"
    case .remove: "remove"
    case .whole: "whole"
    case .reverse: "reverse"
    case .empty: "empty"
    case .fill: "fill"
    case .renumber: "renumber"
    case .fail: "fail"
    case .hold: "hold"
    case .holdAt: "hold-at"
    case .held: "held"
    case .release: "release"
    case .number: "number"
    case .name: "name"
    case .page: "page"
    case .extra: "extra"
    case .noExtra: "no-extra"
    case .inExtra: "in-extra"
    case .begin: "begin"
    case .end: "end"
    case .other: "other"
    case .otherHeard: "other-heard"
    case .removed: "removed"
    case .damaged: "damaged"
    case .tell: "tell"
    case .full: "full"
    case .room: "room"
    case .stamps: "stamps"
    case .load: "load"
    case .save: "save"
    case .reset: "reset"
    case .loadAll: "load-all"
    case .wait: "wait"
    case .flush: "flush"
    case .answer: "answer"
    case .refuse: "refuse"
    case .outside: "outside"
    case .yield: "yield"
    case .point: "point"
    case .pointAnew: "point-anew"
    case .pointByKey: "point-by-key"
    case .observe: "observe"
    case .cancel: "cancel"
    case .status: "status"
    }
  }
}

/// One step of a ``Walk``. Its numbers make sense in every state, so that steps can be left out.
struct WalkStep {
  var action: WalkAction
  var a = 0
  var b = 0

  /// The step as ``init(_:)`` reads it.
  var text: UTF8Text { "\(action.word) \(a) \(b)" }

  init(_ action: WalkAction, _ a: Int = 0, _ b: Int = 0) {
    (self.action, self.a, self.b) = (action, a, b)
  }

  /// A step that is written down, such as `append 0 7`; nil where there is no such one.
  init?(_ text: ArraySlice<UInt8>) {
    let words = text.split(separator: UInt8(ascii: " "))
    guard let word = words.first else { return nil }
    for action in WalkAction.allCases where UTF8Text("\(action.word)").bytes == Array(word) {
      self.init(action, Self.number(words, 1), Self.number(words, 2))
      return
    }
    return nil
  }

  private static func number(_ words: [ArraySlice<UInt8>], _ index: Int) -> Int {
    guard index < words.count else { return 0 }
    return words[index].reduce(0) { ($0 * 10 + Int($1) - 0x30) % 1_000_000 }
  }
}

extension [WalkStep] {
  /// The steps as ``init(_:)`` reads them.
  var text: UTF8Text {
    var text = UTF8Text()
    for step in self {
      if !text.isEmpty { text += "; " }
      text += step.text
    }
    return text
  }

  /// Steps that are written down, such as `append 0 7; reverse 0`; nil where one of them is no step.
  init?(_ text: [UInt8]) {
    self = []
    for step in text.split(separator: UInt8(ascii: ";")) {
      guard let step = WalkStep(step) else { return nil }
      append(step)
    }
  }
}
