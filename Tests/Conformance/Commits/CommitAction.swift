import RandomSteps

/// An action of a ``CommitSchedule``. The first number of a step is the program's, if it concerns
/// one.
enum CommitAction: UInt8, StepAction {
  // Changes, by updates and by `withLock`; the second number selects a task.
  case add, twice, pair, mark, append, title, long, mixed, remove, save
  // Messages: the first number selects one. An answer is lost; a commit times out and arrives late.
  case deliver, lose, late, repeats
  // The store: unreachable and back; switches between rebasing and refusing commits; it, or a
  // journal, is full.
  case offline, online, rebases, full, room
  // The store has no room, and has room; a transaction hangs; a connection closes.
  case quota, space, stall, close
  // The store keeps the clients' steps in its records; only at the beginning.
  case records
  // A newer program changes the store's format; the data is cleared; a copy becomes outdated.
  case upgrade, clear, stale
  // A page enters the browser's cache, and returns.
  case leave, back
  // Time passes.
  case wait
  // A program ends: now, with the messages to it, at its next commit, or at its next journal.
  case crash, lonely, committing, journaling

  /// The first word of a step in text form.
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
    case .quota: "quota"
    case .space: "space"
    case .stall: "stall"
    case .close: "close"
    case .records: "records"
    case .upgrade: "upgrade"
    case .clear: "clear"
    case .stale: "stale"
    case .leave: "leave"
    case .back: "back"
    case .wait: "wait"
    case .crash: "crash"
    case .lonely: "lonely"
    case .committing: "committing"
    case .journaling: "journaling"
    }
  }

  /// The weight of each action.
  static let weights: [(CommitAction, weight: Int)] = [
    (.add, 10), (.twice, 4), (.pair, 6), (.mark, 10), (.append, 6), (.title, 12),
    (.long, 1),
    (.mixed, 4), (.remove, 3), (.save, 4),
    (.deliver, 60), (.lose, 4), (.late, 3), (.repeats, 3),
    (.offline, 2), (.online, 3), (.rebases, 3), (.full, 1), (.room, 2),
    (.wait, 4),
    (.crash, 3), (.lonely, 3), (.committing, 2), (.journaling, 2),
  ]

  /// Additional weights, one list for a quarter of the schedules each.
  static let moreWeights = [[], rareWeights, doubtWeights, doubtWeights]

  /// Commits in doubt, which other programs recover.
  private static let doubtWeights: [(CommitAction, weight: Int)] = [
    (.title, 10), (.save, 4), (.lose, 6), (.late, 8), (.rebases, 2), (.wait, 8), (.crash, 3),
    (.lonely, 6),
  ]

  /// The store is full, cleared or in another format, and pages come and go.
  private static let rareWeights: [(CommitAction, weight: Int)] = [
    (.quota, 2), (.space, 3), (.stall, 3), (.close, 3),
    (.upgrade, 1), (.clear, 1), (.stale, 3),
    (.leave, 3), (.back, 5),
  ]
}

typealias CommitStep = Step<CommitAction>
