import SharingCore
import WasiStorage

/// Keys that yield more often than they must.
let restlessKeys: [Case] = [
  Case("R13", "the last value that a key yields in a refresh counts") { trial in
    let key = RestlessKey { key, subscriber in
      subscriber.yield(1)
      if key.isPatient { subscriber.yield(2) }
    }
    @Shared(key) var count = 0
    $count.withLock { $0 += 10 }
    trial.expect(count, equals: 12)
    trial.expect(key.state.refreshes, equals: 1)
    trial.expect($count.loadError == nil, "there is an error")
  },
  Case("R13", "the last value that a key yields while it is subscribed to counts") { trial in
    let key = RestlessKey { key, subscriber in }
    key.state.first = [1, 2]
    @Shared(key) var count = 0
    trial.expect(count, equals: 2)
    key.state.subscriber?.refresh()
    trial.expect(count, equals: 2)
    trial.expect(key.state.refreshes, equals: 1)
  },
  Case("R13", "a value that a key yields while it loads is kept if the load brings the same") {
    trial in
    let key = RestlessKey { _, _ in }
    @Shared(key) var count = 0
    key.state.onLoad = { key.state.subscriber?.yield(7) }
    $count.load()
    trial.expect(count, equals: 7)
    trial.expect(key.state.refreshes < 2, "it is refreshed again and again")
  },
  Case("R13", "a key may yield to its subscription in a refresh") { trial in
    let key = RestlessKey { key, subscriber in
      key.state.subscriber?.yield(1)
      subscriber.yield(1)
    }
    @Shared(key) var count = 0
    $count.withLock { $0 += 10 }
    trial.expect(count, equals: 11)
    trial.expect(key.state.refreshes, equals: 1)
    trial.expect($count.loadError == nil, "there is an error")
  },
]

private func message(of error: AnyError) -> UTF8Text {
  StorageError.from(error, otherwise: .other).advice
}

/// A key with a refresh of the case.
private struct RestlessKey: SharedKey {
  let state = State()
  let onRefresh: @Sendable (RestlessKey, SharedSubscriber<Int>) -> Void

  final class State: @unchecked Sendable {
    var refreshes = 0
    /// The values to yield at the subscription.
    var first: [Int] = []
    var subscriber: SharedSubscriber<Int>?
    var onLoad: () -> Void = {}
    var isDone = false
  }

  init(_ onRefresh: @escaping @Sendable (RestlessKey, SharedSubscriber<Int>) -> Void) {
    self.onRefresh = onRefresh
  }

  var id: ObjectIdentifier { ObjectIdentifier(state) }

  /// Whether it has not been refreshed so often that the turn seems to be endless.
  var isPatient: Bool { !state.isDone && state.refreshes < 1000 }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    state.onLoad()
    continuation.resume(returning: 7)
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    for number in state.first { subscriber.yield(number) }
    let state = state
    state.subscriber = subscriber
    return SharedSubscription { state.subscriber = nil }
  }

  func refresh(_ subscriber: SharedSubscriber<Int>) {
    state.refreshes += 1
    onRefresh(self, subscriber)
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    continuation.resume()
  }
}
