/// What is done in one step of a ``CommitSchedule``: the step's first number is that of a program,
/// where it is about one.
enum CommitAction: UInt8, StepAction {
  // Changes, by updates and by `withLock`; the second number chooses a task.
  case add, twice, pair, mark, append, title, long, mixed, remove, save
  // Messages: the first number chooses one. An answer is lost, a commit is given up and comes late.
  case deliver, lose, late, repeats
  // The store: away, and back; it has commits made anew itself, or not; it, or a journal, is full.
  case offline, online, rebases, full, room
  // Time passes.
  case wait
  // A program ends: now, with the messages to it, at its next commit, or at its next journal.
  case crash, lonely, committing, journaling

  /// How a step begins that is written down.
  var word: StaticString {
    switch self {
    case .add: "add"
    case .twice: "twice"
    case .pair: "pair"
    case .mark: "mark"
    case .append: "append"
    case .title: "title"
    case .long: "long"
    case .mixed: "mixed"
    case .remove: "remove"
    case .save: "save"
    case .deliver: "deliver"
    case .lose: "lose"
    case .late: "late"
    case .repeats: "repeats"
    case .offline: "offline"
    case .online: "online"
    case .rebases: "rebases"
    case .full: "full"
    case .room: "room"
    case .wait: "wait"
    case .crash: "crash"
    case .lonely: "lonely"
    case .committing: "committing"
    case .journaling: "journaling"
    }
  }

  /// How often each is done.
  static let weights: [(CommitAction, Int)] = [
    (.add, 10), (.twice, 4), (.pair, 6), (.mark, 10), (.append, 6), (.title, 12),
    (.long, 1),
    (.mixed, 4), (.remove, 3), (.save, 4),
    (.deliver, 60), (.lose, 4), (.late, 3), (.repeats, 3),
    (.offline, 2), (.online, 3), (.rebases, 3), (.full, 1), (.room, 2),
    (.wait, 4),
    (.crash, 3), (.lonely, 3), (.committing, 2), (.journaling, 2),
  ]
}

typealias CommitStep = Step<CommitAction>
