/// A request to load the stored value. A class, like ``SaveRequest``.
package final class LoadRequest: @unchecked Sendable {
  /// The receiver of the answer.
  let receiver: Receiver
  /// Whether this is the first load of the value.
  package let isFirst: Bool

  enum Receiver {
    case cell(
      CellPersistence, number: UInt32, Cell.ChangeSource, done: CellPersistence.LoadCompletion)
    case continuation(AnyContinuation)
  }

  init(_ receiver: Receiver, isFirst: Bool = false) {
    self.receiver = receiver
    self.isFirst = isFirst
  }

  /// Creates a request of a key that is part of another one.
  package convenience init<Value>(_ continuation: LoadContinuation<Value>) {
    self.init(.continuation(continuation.continuation))
  }

  /// The state of the requesting value, if known.
  var persistence: CellPersistence? {
    if case .cell(let persistence, _, _, _) = receiver { persistence } else { nil }
  }

  /// Calls `body` with the address of the default, valid during the call, if this is the first
  /// load.
  package func withInitialValue(_ body: (UnsafeMutableRawPointer) -> Void) {
    if isFirst { persistence?.cell?.withInitialValue(body) }
  }

  /// Answers the request.
  /// - Returns: The value's new revision, 0 if unknown; nil if the value was not replaced.
  @discardableResult
  package func answer(_ outcome: Outcome) -> UInt32? { deliver(outcome).finish() }

  /// Answers the request except for its completion, for a connection that holds a lock meanwhile.
  package func deliver(_ outcome: Outcome) -> Delivery {
    switch receiver {
    case .cell(let persistence, let number, let asked, let done):
      let (revision, result) = persistence.didLoad(outcome, number, asked)
      return Delivery(revision: revision) { done(result) }
    case .continuation(let continuation): return continuation.take(outcome)
    }
  }
}

/// A request to store a value. A class, so that a copy is one word.
package final class SaveRequest: Sendable {
  /// The reason for the save.
  package let context: SaveContext
  let cell: Cell
  let number: UInt32
  let waiting: [CellPersistence.Completion]

  init(
    _ context: SaveContext, _ cell: Cell, number: UInt32, waiting: [CellPersistence.Completion]
  ) {
    self.context = context
    self.cell = cell
    self.number = number
    self.waiting = waiting
  }

  /// Creates a request of a key that is part of another one.
  package convenience init<Value>(
    _ value: Value, _ context: SaveContext, _ continuation: SaveContinuation
  ) {
    self.init(
      context, TypedCell(value), number: 0, waiting: [{ continuation.resume(with: $0) }])
  }

  /// Returns a copy of the value as it is now.
  package func copyOfValue() -> ValueToSave { cell.copyToSave() }

  /// Returns a copy of the default; nil if the key is part of another one.
  package func copyOfDefault() -> ValueSnapshot? {
    cell.isKeyed ? cell.copyOfDefault() : nil
  }

  /// Answers a kept request.
  package func answer(_ error: AnyError?) {
    if let persistence = cell.persistence {
      persistence.didSave(self, error)
    } else {
      complete(error)
    }
  }

  /// Reports a failed attempt that will be retried: sets `saveError` and calls the completions. The
  /// value stays unsaved. A key that is part of another one reports nothing, since it can answer
  /// only once; the other one is saving until then.
  /// - Returns: The request to be answered later, without the completions that were called.
  package func postponed(_ error: AnyError) -> SaveRequest {
    guard let persistence = cell.persistence else { return self }
    persistence.setSaveError(error)
    complete(error)
    return SaveRequest(context, cell, number: number, waiting: [])
  }

  /// Calls the completions of the save.
  func complete(_ error: AnyError?) {
    for done in waiting { done(error.map { .failure($0) } ?? .success(())) }
  }
}

/// Counts the unanswered requests to a key. Keys may answer in any order: an answer is outdated if
/// a later request was answered before.
struct RequestCount {
  /// The number of unanswered requests.
  private(set) var underWay = 0
  private var last: UInt32 = 0
  private var lastAnswered: UInt32 = 0

  /// Begins a request.
  /// - Returns: Its number.
  mutating func begin() -> UInt32 {
    underWay += 1
    last &+= 1
    return last
  }

  /// Records the answer to a request.
  /// - Returns: Whether no later request was answered before.
  mutating func end(_ number: UInt32) -> Bool {
    underWay -= 1
    guard Int32(truncatingIfNeeded: number &- lastAnswered) > 0 else { return false }
    lastAnswered = number
    return true
  }
}
