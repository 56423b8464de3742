/// A request for what is stored. A class, as ``SaveRequest``.
package final class LoadRequest: @unchecked Sendable {
  /// Who hears the answer.
  let receiver: Receiver
  /// Whether the value is loaded for the first time.
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

  /// A request of a key that is part of another one.
  package convenience init<Value>(_ continuation: LoadContinuation<Value>) {
    self.init(.continuation(continuation.continuation))
  }

  /// Whose request it is, as far as that is known.
  var persistence: CellPersistence? {
    if case .cell(let persistence, _, _, _) = receiver { persistence } else { nil }
  }

  /// Calls `body` with the address of the default, valid during the call, if the value is loaded
  /// for the first time.
  package func withInitialValue(_ body: (UnsafeMutableRawPointer) -> Void) {
    if isFirst { persistence?.cell?.withInitialValue(body) }
  }

  /// Answers the request.
  /// - Returns: The value's revision from then on, 0 where that is not known; nil when it was not
  ///   taken over.
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
