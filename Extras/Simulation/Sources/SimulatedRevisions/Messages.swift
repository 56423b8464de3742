/// The messages between programs and their store that are not delivered yet.
package final class Messages {
  package enum Kind {
    /// A load or a commit.
    case question
    case answer
    case notification
  }

  private var waiting: [Message] = []
  /// The connection with an open transaction that does not end; requests to the store wait for it.
  private var stalled: SimulatedConnection?
  /// Called with the description of an event that must not happen.
  var onProblem: (String) -> Void = { _ in }

  private struct Message {
    let kind: Kind
    let connection: SimulatedConnection
    let deliver: () -> Void
    /// Reports a failure instead of delivering the message; nil for messages to a program, and for
    /// a request that has failed and is still under way.
    var fail: (() -> Void)?
    var isCommit = false
  }

  /// Sends a message to a program.
  package func send(
    _ kind: Kind, to connection: SimulatedConnection, _ deliver: @escaping () -> Void
  ) {
    waiting.append(
      Message(kind: kind, connection: connection) {
        if connection.isRunning { connection.run(deliver) }
      })
  }

  /// Sends a request to the store.
  func ask(
    by connection: SimulatedConnection, isCommit: Bool = false, _ deliver: @escaping () -> Void,
    orFail fail: @escaping () -> Void
  ) {
    waiting.append(
      Message(
        kind: .question, connection: connection, deliver: { connection.run(deliver) }, fail: fail,
        isCommit: isCommit))
  }

  // MARK: Delivering

  /// Delivers all messages, and the messages that these cause.
  package func deliverAll(backwards: Bool = false) {
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

  /// Delivers all messages of one connection, and the messages that these cause.
  package func deliver(to connection: SimulatedConnection) {
    while let index = waiting.firstIndex(where: { $0.connection === connection && canArrive($0) }) {
      waiting.remove(at: index).deliver()
    }
  }

  /// Delivers one message, selected by a random number.
  package func deliverOne(_ number: Int) {
    let indices = waiting.indices.filter { canArrive(waiting[$0]) }
    if !indices.isEmpty { waiting.remove(at: indices[number % indices.count]).deliver() }
  }

  // MARK: Single messages

  /// The number of waiting messages of a kind for one of the programs.
  package func count(_ kind: Kind, of owner: Int) -> Int { indices(kind, owner).count }

  /// Delivers a message of a kind, by its number among the waiting ones; does nothing if there is
  /// none.
  /// - Parameter isRepeated: Whether the message stays, to be delivered once more.
  package func deliver(_ kind: Kind, of owner: Int, number: Int = 0, isRepeated: Bool = false) {
    let indices = indices(kind, owner)
    guard indices.indices.contains(number) else { return }
    let message = waiting[indices[number]]
    if !isRepeated { waiting.remove(at: indices[number]) }
    message.deliver()
  }

  /// Whether a request of a program, by its number among the waiting ones, is a commit.
  package func isCommit(of owner: Int, number: Int) -> Bool {
    waiting[indices(.question, owner)[number]].isCommit
  }

  /// Whether a request's program still waits for the answer.
  package func isAwaited(of owner: Int, number: Int) -> Bool {
    let message = waiting[indices(.question, owner)[number]]
    return message.fail != nil && message.connection.isRunning
  }

  /// Reports the failure of a request.
  /// - Parameter isLate: Whether the request arrives later; then its answer is ignored.
  package func fail(of owner: Int, number: Int, isLate: Bool) {
    let index = indices(.question, owner)[number]
    let fail = waiting[index].fail
    if isLate { waiting[index].fail = nil } else { waiting.remove(at: index) }
    fail?()
  }

  /// Drops a message of a kind.
  /// - Returns: Whether there was one.
  package func drop(_ kind: Kind, of owner: Int, number: Int) -> Bool {
    let indices = indices(kind, owner)
    guard indices.indices.contains(number) else { return false }
    waiting.remove(at: indices[number])
    return true
  }

  private func indices(_ kind: Kind, _ owner: Int) -> [Int] {
    waiting.indices.filter {
      let (itsKind, connection) = (waiting[$0].kind, waiting[$0].connection)
      // A program that has ended receives nothing.
      return itsKind == kind && connection.owner == owner
        && (kind == .question || connection.isRunning)
    }
  }

  private func canArrive(_ message: Message) -> Bool {
    message.kind == .question ? stalled == nil : !message.connection.isAway
  }

  // MARK: Connections

  /// Keeps the transaction of a connection open, if the connection has sent a request.
  package func stall(_ connection: SimulatedConnection) {
    if waiting.contains(where: { $0.connection === connection && $0.kind == .question }) {
      stalled = connection
    }
  }

  /// Drops a connection's requests to a store that does not answer.
  package func abandonRequests(of connection: SimulatedConnection) {
    if stalled != nil { close(connection) }
  }

  /// Closes a connection: its requests to the store fail.
  package func close(_ connection: SimulatedConnection) {
    if stalled === connection { stalled = nil }
    let lost = waiting.filter { $0.connection === connection && $0.kind == .question }
    waiting.removeAll { $0.connection === connection && $0.kind == .question }
    for message in lost { message.fail?() }
  }

  /// Ends a connection and its transaction. Its requests may still arrive.
  func end(_ connection: SimulatedConnection, losingMessages: Bool) {
    if stalled === connection { stalled = nil }
    if losingMessages { waiting.removeAll { $0.connection === connection } }
  }

  package func removeAll() { waiting = [] }
}
