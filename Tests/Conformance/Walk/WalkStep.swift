import RandomSteps
import SharingCore

/// The action of a step of a ``Walk``.
enum WalkAction: UInt8, StepAction {
  // Changes of a list, selected by the step's first number.
  case field, title, at, element, append, remove, whole, reverse, empty, fill, renumber, fail
  // A change of a list that leaves it as it is.
  case touch
  // Held elements: the first number is their list's, or theirs.
  case hold, holdAt, held, release
  // Changes of the page.
  case number, name, page, extra, noExtra, inExtra
  // Batches: the steps between these two are one turn.
  case begin, end
  // Another program: the first number is the list's.
  case other, otherHeard, removed, damaged, tell
  // The store.
  case full, room, stamps
  case load, save, reset, loadAll
  // Later events: time, and the answers of the key that answers late.
  case wait, flush, answer, refuse, outside, yield
  // Pointing a wrapper elsewhere.
  case point, pointAnew, pointByKey
  // Observers.
  case observe, cancel, status

  /// The first word of a step in text form.
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
    case .touch: "touch"
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

/// One step of a ``Walk``.
typealias WalkStep = Step<WalkAction>
