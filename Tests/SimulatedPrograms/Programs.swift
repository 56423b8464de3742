import SharingCommits
import SharingCore
import SimulatedRevisions
import WasiStorage

/// Several programs over one revision store, with their journals.
package final class Programs: @unchecked Sendable {
  package let database: SimulatedDatabase
  /// The immediate writes of all programs: journals and copies.
  package let journals = SimulatedJournals()
  /// The doubles between a program and its host.
  package let doubles: any Doubles
  package private(set) var programs: [Program] = []
  /// The issues that the programs have reported.
  package var issues: [UTF8Text] = []

  package init(
    _ count: Int, over store: MemoryRevisionStore = MemoryRevisionStore(),
    with doubles: any Doubles = NoDoubles()
  ) {
    self.doubles = doubles
    database = SimulatedDatabase(over: store)
    for _ in 0..<count { _ = start() }
  }

  package subscript(index: Int) -> Program { programs[index] }

  /// Ends a program like a crash, together with the messages to it, and starts another one. Its
  /// sent messages may still arrive.
  package func crash(_ index: Int, losingMessages: Bool = true) {
    programs[index].end(losingMessages: losingMessages)
    programs[index] = Program(self, index)
  }

  /// Starts another program.
  package func start() -> Program {
    programs.append(Program(self, programs.count))
    return programs[programs.count - 1]
  }

  /// Ends all programs.
  package func end() {
    database.messages.removeAll()
    for program in programs { program.end(losingMessages: true) }
  }

  /// Returns the text that is stored under a key.
  package func text(_ key: UTF8Text) -> UTF8Text? {
    database.store.stored(KeyName(bytes: key.bytes)).bytes.map { UTF8Text($0) }
  }

  /// Loses the next answer to a commit.
  package func loseNextAnswer() { database.accident = .lost }

  // MARK: Messages

  /// Delivers the pending messages and those that result from them.
  package func deliverAll(backwards: Bool = false) {
    database.messages.deliverAll(backwards: backwards)
  }

  /// Delivers the pending messages for one program and those that result from them.
  package func deliver(to program: Program) { database.messages.deliver(to: program.connection) }

  /// Delivers one message, selected by a random number.
  package func deliverOne(_ number: Int) { database.messages.deliverOne(number) }
}
