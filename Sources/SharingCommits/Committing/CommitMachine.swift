/// The requests of one program to its revision store, as a state machine: one request is under way
/// at a time. It has no lock, store, clock or closure; ``Committer`` calls it with its lock held.
/// The table of states and events is in docs/DESIGN.md.
struct CommitMachine {
  enum State {
    /// No request is under way.
    case idle
    /// A commit of this program's steps is under way.
    case committing
    /// The store failed during a commit or a question. Nothing is sent until ``retry()``.
    case failed
    /// This program's steps may be stored: the next request is a question.
    case doubtful
    /// The store is asked which steps are stored.
    case asking
    /// The commit of another program's journal is under way.
    case recovering
    /// The program of that journal has a second to commit it by itself: only it can run its updates
    /// again.
    case yielding
  }

  private(set) var state = State.idle

  /// The remaining work.
  struct Work {
    /// Whether there are complete steps.
    var hasSteps = false
    /// Whether one of their keys has steps in a journal, which are older.
    var areStepsBlocked = false
    /// Whether the steps are left to the thread whose turn has made them: it commits them at once.
    var leavesSteps = false
    /// Whether there is a journal that can be committed now.
    var hasJournal = false
    /// Whether changes of other programs are held: they may contain the complete steps.
    var hasHeldChanges = false
  }

  enum Request {
    case commit, ask, recover
  }

  /// Chooses the next request; nil if one is under way, or if there is nothing to do. Journals are
  /// older than the steps, so they come first.
  mutating func next(_ work: Work) -> Request? {
    switch state {
    case .committing, .failed, .asking, .recovering, .yielding: return nil
    case .doubtful: return ask()
    case .idle:
      if work.hasJournal {
        state = .recovering
        return .recover
      }
      if work.hasSteps, !work.areStepsBlocked {
        if work.leavesSteps { return nil }
        state = .committing
        return .commit
      }
      return work.hasHeldChanges ? ask() : nil
    }
  }

  private mutating func ask() -> Request {
    state = .asking
    return .ask
  }

  /// Something has happened after which a failed request may succeed: a turn, a change by another
  /// program, or the end of a pause.
  mutating func retry() {
    if case .failed = state { state = .doubtful }
  }

  enum End {
    /// The store has answered, or the second of a journal's own program is over. A journal that
    /// could not be stored is held.
    case answered
    /// The store has answered, and may have steps of this program that the answer lacks: another
    /// program has recovered them.
    case answeredInPart
    /// The store has failed in a request for this program's steps.
    case failed
    /// The steps of a journal are left to their own program.
    case left
  }

  /// The request under way has ended, or the pause after it.
  mutating func ended(_ end: End) {
    switch (state, end) {
    case (.committing, .answered), (.asking, .answered), (.recovering, .answered),
      (.yielding, .answered):
      state = .idle
    case (.committing, .answeredInPart), (.asking, .answeredInPart),
      (.recovering, .answeredInPart):
      state = .doubtful
    case (.committing, .failed), (.asking, .failed): state = .failed
    case (.recovering, .left): state = .yielding
    default: assertionFailure("\(state) cannot end as \(end)")
    }
  }

  /// Whether changes by other programs may be shown. After a commit or a question, its answer comes
  /// first.
  var takesChanges: Bool {
    switch state {
    case .idle, .yielding: true
    case .committing, .failed, .doubtful, .asking, .recovering: false
    }
  }

  /// Whether complete steps may be stored already.
  var mayHaveStored: Bool {
    switch state {
    case .committing, .failed, .doubtful, .asking: true
    case .idle, .recovering, .yielding: false
    }
  }
}
