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
  package func answer(_ outcome: Outcome) -> UInt32? {
    switch receiver {
    case .cell(let persistence, let number, let asked, let done):
      return persistence.didLoad(outcome, number, asked, done)
    case .continuation(let continuation):
      continuation.resume(outcome)
      return 0
    }
  }
}
