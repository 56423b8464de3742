import SharingCore

/// An external store that holds one number and answers on demand.
final class LateStore: @unchecked Sendable {
  private(set) var stored: Int?
  var subscriber: SharedSubscriber<Int>?
  private var loads: [LoadContinuation<Int>] = []
  private var saves: [(value: Int, continuation: SaveContinuation)] = []

  init(_ stored: Int?) {
    self.stored = stored
  }

  func load(_ continuation: LoadContinuation<Int>) { loads.append(continuation) }

  func save(_ value: Int, _ continuation: SaveContinuation) { saves.append((value, continuation)) }

  /// Answers all pending loads with the stored value.
  func answerLoads() {
    let waiting = loads
    loads = []
    for continuation in waiting {
      if let stored {
        continuation.resume(returning: stored)
      } else {
        continuation.resumeReturningInitialValue()
      }
    }
  }

  /// Answers the oldest pending load with a value, or rejects it.
  func answerFirstLoad(_ value: Int?) {
    let continuation = loads.removeFirst()
    if let value { return continuation.resume(returning: value) }
    continuation.resume(throwing: StorageError(.denied, key: nil, "as the case wants it"))
  }

  /// Answers the newest pending load with a value.
  func answerLastLoad(_ value: Int) {
    loads.removeLast().resume(returning: value)
  }

  /// Stores the pending values in order.
  func answerSaves() {
    let waiting = saves
    saves = []
    for (value, continuation) in waiting {
      stored = value
      continuation.resume()
    }
  }

  /// Rejects the newest pending save.
  func refuseLastSave() {
    let (_, continuation) = saves.removeLast()
    continuation.resume(throwing: StorageError(.denied, key: nil, "as the case wants it"))
  }
}

/// A key over a ``LateStore``.
struct LateKey: SharedKey {
  let store: LateStore

  var id: ObjectIdentifier { ObjectIdentifier(store) }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    store.load(continuation)
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    store.subscriber = subscriber
    return SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    store.save(value, continuation)
  }
}
