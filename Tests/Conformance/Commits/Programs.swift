import SharingCore
import WasiStorage

/// Some programs over one revision store, and the messages between them, which are delivered when
/// the case says so.
final class Programs: @unchecked Sendable {
  private let store: MemoryRevisionStore
  /// What all programs write at once: their journals, and copies.
  let journals = Journals()
  private var programs: [Program] = []
  private var messages: [Message] = []
  /// How many commits have been sent.
  private(set) var commits = 0
  /// Whether the store cannot be reached.
  var isOffline = false
  /// Whether the store has no room for commits.
  var isFull = false
  /// Whether news comes twice.
  var repeatsNews = false
  /// Whether the store has commits made anew with its transaction open, by a program that runs.
  var rebases = false
  /// What happens to the next commit.
  var accident = Accident.none
  /// What the programs have reported.
  var issues: [UTF8Text] = []
  /// Called after each commit that has arrived.
  var onCommit: () -> Void = {}
  /// Called with what is not to happen.
  var onProblem: (String) -> Void = { _ in }

  enum Accident {
    case none
    /// Its answer does not arrive.
    case lost
    /// It is given up before it arrives.
    case late
  }

  init(_ count: Int, over store: MemoryRevisionStore = MemoryRevisionStore()) {
    self.store = store
    programs = (0..<count).map { _ in Program(self) }
  }

  subscript(index: Int) -> Program { programs[index] }

  /// Ends a program as a crash does, with what is on its way to it, and starts another one. What it
  /// has sent may still arrive.
  func crash(_ index: Int, losingMessages: Bool = true) {
    let program = programs[index]
    program.end()
    if losingMessages { messages.removeAll { $0.program === program } }
    programs[index] = Program(self)
  }

  /// Starts another program.
  func start() -> Program {
    programs.append(Program(self))
    return programs[programs.count - 1]
  }

  /// Ends all programs.
  func end() {
    messages = []
    for program in programs { program.end() }
  }

  /// The text that is stored under a key.
  func text(_ key: StaticString) -> UTF8Text? {
    store.stored(KeyName(bytes: UTF8Text(stringLiteral: key).bytes)).bytes.map { UTF8Text($0) }
  }

  /// The next answer to a commit does not arrive.
  func loseNextAnswer() { accident = .lost }

  // MARK: Messages

  /// Delivers what waits, and what comes of it.
  func deliverAll(backwards: Bool = false) {
    var count = 0
    while !messages.isEmpty {
      (backwards ? messages.removeLast() : messages.removeFirst()).deliver()
      count += 1
      if count > 5000 {
        onProblem("messages come of messages without end")
        messages = []
      }
    }
  }

  /// Delivers what waits for one program, and what comes of it.
  func deliver(to program: Program) {
    while let index = messages.firstIndex(where: { $0.program === program }) {
      messages.remove(at: index).deliver()
    }
  }

  /// Delivers one message, whichever a random number stands for.
  func deliverOne(_ number: Int) {
    if !messages.isEmpty { messages.remove(at: number % messages.count).deliver() }
  }

  private struct Message {
    let program: Program
    let deliver: () -> Void
  }

  private func send(_ program: Program, _ deliver: @escaping () -> Void) {
    messages.append(Message(program: program) { if program.isRunning { program.run(deliver) } })
  }

  // MARK: The store

  func commit(
    _ commit: Commit, of program: Program, _ rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    commits += 1
    if case .committing(let arrives) = program.death {
      program.isRunning = false
      if !arrives { return }
    }
    if !program.begin(commit.client) { onProblem("two commits are under way at once") }
    let answer = { (answer: CommitAnswer) in
      self.send(program) {
        program.finish(commit.client)
        done(answer)
      }
    }
    if case .late = accident {
      accident = .none
      answer(.failed(StorageError(.other, key: nil, "It takes too long.")))
      return arrive(commit, of: program, rebase) { _ in }
    }
    arrive(commit, of: program, rebase, answer)
  }

  /// The commit arrives later, whether the program still runs then or not.
  private func arrive(
    _ commit: Commit, of program: Program, _ rebase: @escaping Rebase,
    _ done: @escaping (CommitAnswer) -> Void
  ) {
    let arrival = { [self] in
      var answer = CommitAnswer.failed(StorageError(.other, key: nil, "The store is away."))
      if isFull, !isOffline {
        answer = .failed(StorageError(.quotaExceeded, key: nil, "The store is full."))
      } else if !isOffline {
        answer = self.answer(to: commit, of: program, rebase)
        onCommit()
      }
      if case .lost = accident {
        answer = .failed(StorageError(.other, key: nil, "The answer is lost."))
      }
      accident = .none
      done(answer)
    }
    messages.append(Message(program: program) { program.run(arrival) })
  }

  private func answer(
    to commit: Commit, of program: Program, _ rebase: Rebase
  ) -> CommitAnswer {
    let answer = stored(commit)
    guard rebases, program.isRunning, case .conflict(let stored, let applied) = answer else {
      return answer
    }
    guard let entries = rebase(stored, applied) else { return answer }
    return self.stored(
      Commit(client: commit.client, after: applied, through: commit.through, entries: entries))
  }

  private func stored(_ commit: Commit) -> CommitAnswer {
    let answer = store.answer(to: commit)
    store.tell(of: commit.entries.map { $0.key })
    return answer
  }

  func load(
    _ keys: [KeyName], _ client: UTF8Text, of program: Program,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    send(program) { [self] in
      let answer: Result<StoredSnapshot, StorageError> =
        isOffline
        ? .failure(StorageError(.other, key: nil, "The store is away."))
        : .success(store.snapshot(keys, client))
      send(program) {
        program.isHearingLoad = true
        done(answer)
        program.isHearingLoad = false
      }
    }
  }

  func watch(
    of program: Program, _ onNews: @escaping @Sendable ([StoredRevision]) -> Void
  ) -> SharedSubscription {
    store.watch { news in
      for _ in 0..<(self.repeatsNews ? 2 : 1) { self.send(program) { onNews(news) } }
    }
  }
}
