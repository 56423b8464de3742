/// What is on its way between some programs and their store, until it is delivered.
final class Messages {
  private var waiting: [Message] = []
  /// Whose transaction is open and does not end: what is asked of the store waits for it.
  private var stalled: Program?
  /// Called with what is not to happen.
  var onProblem: (String) -> Void = { _ in }

  private struct Message {
    let program: Program
    let deliver: () -> Void
    /// Tells of a failure in its place; nil for what is on its way to the program.
    var fail: (() -> Void)?
  }

  /// Something is on its way to a program.
  func send(to program: Program, _ deliver: @escaping () -> Void) {
    waiting.append(Message(program: program) { if program.isRunning { program.run(deliver) } })
  }

  /// Something is on its way to the store.
  func ask(
    by program: Program, _ deliver: @escaping () -> Void, orFail fail: @escaping () -> Void
  ) {
    waiting.append(Message(program: program, deliver: { program.run(deliver) }, fail: fail))
  }

  // MARK: Delivering

  /// Delivers what waits, and what comes of it.
  func deliverAll(backwards: Bool) {
    var count = 0
    while let index = backwards
      ? waiting.lastIndex(where: canArrive) : waiting.firstIndex(where: canArrive)
    {
      waiting.remove(at: index).deliver()
      count += 1
      if count > 5000 {
        onProblem("messages come of messages without end")
        waiting = []
      }
    }
  }

  /// Delivers what waits for one program, and what comes of it.
  func deliver(to program: Program) {
    while let index = waiting.firstIndex(where: { $0.program === program && canArrive($0) }) {
      waiting.remove(at: index).deliver()
    }
  }

  /// Delivers one message, whichever a random number stands for.
  func deliverOne(_ number: Int) {
    let indices = waiting.indices.filter { canArrive(waiting[$0]) }
    if !indices.isEmpty { waiting.remove(at: indices[number % indices.count]).deliver() }
  }

  private func canArrive(_ message: Message) -> Bool {
    message.fail == nil ? !message.program.isAway : stalled == nil
  }

  // MARK: Connections

  /// Has a transaction of a program not end, where it has one.
  func stall(_ program: Program) {
    if waiting.contains(where: { $0.program === program && $0.fail != nil }) { stalled = program }
  }

  /// Gives up what a program has asked of a store that does not answer.
  func giveUp(_ program: Program) {
    if stalled != nil { close(program) }
  }

  /// Has the connection of a program close: what it has asked of the store fails.
  func close(_ program: Program) {
    if stalled === program { stalled = nil }
    let lost = waiting.filter { $0.program === program && $0.fail != nil }
    waiting.removeAll { $0.program === program && $0.fail != nil }
    for message in lost { message.fail?() }
  }

  /// A program has ended, and with it its transaction. What it has asked may still arrive.
  func end(_ program: Program, losingMessages: Bool) {
    if stalled === program { stalled = nil }
    if losingMessages { waiting.removeAll { $0.program === program } }
  }

  func removeAll() { waiting = [] }
}
