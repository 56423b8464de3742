import SharingCore
import SimulatedRevisions
import WasiStorage

/// Some programs over one revision store, and what they write at once.
final class Programs: @unchecked Sendable {
  let database: SimulatedDatabase
  /// What all programs write at once: their journals, and copies.
  let journals = SimulatedJournals()
  /// What stands between a program and its host.
  let doubles: any Doubles
  private(set) var programs: [Program] = []
  /// What the programs have reported.
  var issues: [UTF8Text] = []

  init(
    _ count: Int, over store: MemoryRevisionStore = MemoryRevisionStore(),
    with doubles: any Doubles = NoDoubles()
  ) {
    self.doubles = doubles
    database = SimulatedDatabase(over: store)
    for _ in 0..<count { _ = start() }
  }

  subscript(index: Int) -> Program { programs[index] }

  /// Ends a program as a crash does, with what is on its way to it, and starts another one. What it
  /// has sent may still arrive.
  func crash(_ index: Int, losingMessages: Bool = true) {
    programs[index].end(losingMessages: losingMessages)
    programs[index] = Program(self, index)
  }

  /// Starts another program.
  func start() -> Program {
    programs.append(Program(self, programs.count))
    return programs[programs.count - 1]
  }

  /// Ends all programs.
  func end() {
    database.messages.removeAll()
    for program in programs { program.end(losingMessages: true) }
  }

  /// The text that is stored under a key.
  func text(_ key: UTF8Text) -> UTF8Text? {
    database.store.stored(KeyName(bytes: key.bytes)).bytes.map { UTF8Text($0) }
  }

  /// The next answer to a commit does not arrive.
  func loseNextAnswer() { database.accident = .lost }

  // MARK: Messages

  /// Delivers what waits, and what comes of it.
  func deliverAll(backwards: Bool = false) { database.messages.deliverAll(backwards: backwards) }

  /// Delivers what waits for one program, and what comes of it.
  func deliver(to program: Program) { database.messages.deliver(to: program.connection) }

  /// Delivers one message, whichever a random number stands for.
  func deliverOne(_ number: Int) { database.messages.deliverOne(number) }
}
