import RandomSteps

/// An event of a ``CommitWorld``. The first number of a step is the program's. The second one
/// selects a message: the first one or a later one of its kind.
enum CommitEvent: UInt8, StepAction {
  // Turns: a change of the score, of the notes, of both; both are loaded.
  case add, note, both, load
  // Another thread begins a turn with a change of the first value, and ends it.
  case begin, finish
  // A request arrives in the store, and is answered later or at once.
  case arrive, deliver
  // It fails; it is stored and its answer is lost; it fails, and arrives later.
  case refuse, lose, late
  // An answer, or a notification, arrives; a notification arrives and will arrive again.
  case answer, notice, again
  // Notifications are lost, and the program is told so.
  case miss
  // A second passes.
  case wait
  // The program ends; starts; will end at one of its next writes.
  case kill, start, doom
  // The browser has no room for journals and copies; it has room again.
  case full, room
  // Something else stores a text that is not JSON under the first key.
  case damage
  // All messages are delivered and a minute passes; only at the beginning.
  case rest

  /// The first word of a step in text form.
  var word: StaticString {
    switch self {
    case .add: "add"
    case .note: "note"
    case .both: "both"
    case .load: "load"
    case .begin: "begin"
    case .finish: "finish"
    case .arrive: "arrive"
    case .deliver: "deliver"
    case .refuse: "refuse"
    case .lose: "lose"
    case .late: "late"
    case .answer: "answer"
    case .notice: "notice"
    case .again: "again"
    case .miss: "miss"
    case .wait: "wait"
    case .kill: "kill"
    case .start: "start"
    case .doom: "doom"
    case .full: "full"
    case .room: "room"
    case .damage: "damage"
    case .rest: "rest"
    }
  }

  /// Whether it reads or writes the store.
  var usesStore: Bool {
    switch self {
    case .arrive, .deliver, .lose, .start, .damage, .rest: true
    default: false
    }
  }
}

typealias ExploredStep = Step<CommitEvent>
