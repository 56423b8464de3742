import SharingCore
import WasiStorage

/// Some programs over one revision store, and the messages between them, which are delivered when
/// the case says so.
final class Programs: @unchecked Sendable {
  var store: ClearableStore
  /// What all programs write at once: their journals, and copies.
  let journals = Journals()
  let messages = Messages()
  private(set) var programs: [Program] = []
  /// How many commits have been sent.
  var commits = 0
  /// Whether the store cannot be reached.
  var isOffline = false
  /// Whether the store has no room for another commit.
  var isFull = false
  /// The key whose values nobody may store.
  var deniedKey: KeyName?
  /// The form of the store: one that a newer program has given it refuses older programs.
  var version = 1
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
  var onProblem: (String) -> Void = { _ in } {
    didSet { messages.onProblem = onProblem }
  }

  enum Accident {
    case none
    /// Its answer does not arrive.
    case lost
    /// It is given up before it arrives.
    case late
  }

  init(_ count: Int, over store: MemoryRevisionStore = MemoryRevisionStore()) {
    self.store = ClearableStore(store)
    programs = (0..<count).map { _ in Program(self) }
  }

  subscript(index: Int) -> Program { programs[index] }

  /// Ends a program as a crash does, with what is on its way to it, and starts another one. What it
  /// has sent may still arrive.
  func crash(_ index: Int, losingMessages: Bool = true) {
    let program = programs[index]
    program.end()
    messages.end(program, losingMessages: losingMessages)
    programs[index] = Program(self)
  }

  /// Starts another program.
  func start() -> Program {
    programs.append(Program(self))
    return programs[programs.count - 1]
  }

  /// Ends all programs.
  func end() {
    messages.removeAll()
    for program in programs { program.end() }
  }

  /// The text that is stored under a key.
  func text(_ key: UTF8Text) -> UTF8Text? {
    store.stored(KeyName(bytes: key.bytes)).bytes.map { UTF8Text($0) }
  }

  /// The next answer to a commit does not arrive.
  func loseNextAnswer() { accident = .lost }

  // MARK: Messages

  /// Delivers what waits, and what comes of it.
  func deliverAll(backwards: Bool = false) { messages.deliverAll(backwards: backwards) }

  /// Delivers what waits for one program, and what comes of it.
  func deliver(to program: Program) { messages.deliver(to: program) }

  /// Delivers one message, whichever a random number stands for.
  func deliverOne(_ number: Int) { messages.deliverOne(number) }

  // MARK: The browser's cache

  /// A page goes into the browser's cache: there it holds up nobody, and hears nothing.
  func leave(_ program: Program) {
    program.isAway = true
    messages.close(program)
  }

  /// A page returns from there, and asks what is stored.
  func comeBack(_ program: Program) {
    program.isAway = false
    program.hasMissedNews = true
    messages.ask(by: program) { [self] in
      if obstacle(to: program) != nil { return }
      program.hasMissedNews = false
      tell(program, program.keys)
    } orFail: {
    }
  }
}
