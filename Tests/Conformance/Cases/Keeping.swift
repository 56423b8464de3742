import SharingCore
import WasiStorage

/// The saves of a key, its late notifications, and its release.
let keeping: [Case] = [
  Case("R12", "a key that changes its own value while it saves is asked again, once it has saved") {
    trial in
    let feed = Feed()
    @Shared(FeedKey(feed: feed)) var count = 0
    feed.finish(with: 0)
    let steps = Log()
    feed.onSave = { [$count] in
      let number = $count.wrappedValue
      steps.append(number)
      if number < 3 {
        $count.withLock { $0 += 1 }
        $count.save()
      }
      steps.append(-number)
    }
    $count.withLock { $0 = 1 }
    trial.expect(steps.numbers, equals: [1, -1, 2, -2, 3, -3])
    trial.expect(feed.saved, equals: [1, 2, 3])
    feed.onSave = {}
  },
  Case("R12", "a key that settles after many saves is not reported") { trial in
    let feed = Feed()
    @Shared(FeedKey(feed: feed)) var count = 0
    feed.finish(with: 0)
    feed.onSave = { [$count] in if $count.wrappedValue < 100 { $count.withLock { $0 += 1 } } }
    $count.withLock { $0 = 1 }
    trial.expect(feed.saved.last ?? 0, equals: 100)
    trial.expect(trial.issues.count, equals: 0)
    feed.onSave = {}
  },
  Case("R16", "a value that comes too late leaves the error of saving as it is") { trial in
    let feed = Feed()
    @Shared(FeedKey(feed: feed)) var count = 0
    feed.finish(with: 0)
    $count.load()
    feed.saveFailure = .quotaExceeded
    $count.withLock { $0 = 5 }
    feed.finish(with: 9)
    trial.expect(count, equals: 5)
    trial.expect($count.saveError.map(reason) == .quotaExceeded, "the error is gone")
    trial.expect($count.loadError == nil, "there is an error of loading")
  },
  Case("R13", "an answer that comes after something newer does not undo that") { trial in
    let feed = Feed()
    @Shared(FeedKey(feed: feed)) var count = 0
    feed.finish(with: 0)
    $count.load()
    feed.subscriber?.yield(5)
    feed.finish(with: 3)
    trial.expect(count, equals: 5)
    feed.finish(with: 6)  // the newest value is loaded once more
    trial.expect(count, equals: 6)
    trial.expect($count.isLoading, equals: false)
  },
  Case("R10", "who observes the errors is not woken where there was none and is none") { trial in
    @Shared(.localStorage("count")) var count = 0
    let seen = Log()
    let token = observe { seen.append($count.loadError == nil ? 0 : 1) }
    for text in ["1", "2"] {
      trial.store["count"] = text
      trial.store.notify("count")
    }
    trial.expect(count, equals: 2)
    trial.expect(seen.numbers, equals: [0])
    token.cancel()
  },
  Case("R11", "a value that was required is everybody's") { trial in
    let feed = Feed()
    @Shared(FeedKey(feed: feed)) var count = 0
    feed.finish(with: 1)
    for number in [7, 8] {
      if number == 7 {
        Shared<Int>.require(FeedKey(feed: feed)) { _ in }
      } else {
        SharedReader<Int>.require(FeedKey(feed: feed)) { _ in }
      }
      feed.finish(with: number)
      trial.expect(count, equals: number)
    }
  },
  Case("R11", "a subscription ends with its value, whoever else keeps it") { trial in
    let ends = Log()
    let key = KeepingKey(subscription: SharedSubscription { ends.append(1) })
    do {
      @SharedReader(key) var value = 0
      trial.expect(value, equals: 0)
      trial.expect(ends.count, equals: 0)
    }
    trial.expect(ends.numbers, equals: [1])
  },
  Case("R14", "who has ended a subscription is let go of, and the others hear on") { trial in
    for first in 0..<3 {
      let store = trial.hostStore
      let (heard, ends) = (Log(), Log())
      var subscriptions = (0..<3).map { number in
        let listener = Listener(number, heard, ends)
        return store.subscribe(to: followed) { listener.hear() } as SharedSubscription?
      }
      for step in 0..<3 {
        let number = (first + step) % 3
        subscriptions[number] = nil
        trial.expect(ends.numbers.last ?? -1, equals: number)
        let before = heard.count
        try? store.set([0x31 + UInt8(step)], for: followed)
        if heard.count > before { trial.expect(heard.count, equals: before + 2 - step) }
      }
      trial.expect(ends.count, equals: 3)
    }
  },
  Case("R8", "the former value of a wrapper that takes another one goes at once") { trial in
    let (heard, ends) = (Log(), Log())
    @Shared(value: Listener(1, heard, ends)) var listener
    batch {
      $listener = Shared(value: Listener(2, heard, ends))
      trial.expect(ends.numbers, equals: [1])
      listener.hear()
    }
    trial.expect(heard.numbers, equals: [2])
  },
  Case("R8", "the objects of an observer go as soon as it is cancelled") { trial in
    let (heard, ends) = (Log(), Log())
    observing(Listener(1, heard, ends)).cancel()
    trial.expect(ends.numbers, equals: [1])
    batch {
      observing(Listener(2, heard, ends)).cancel()
      observing(Listener(3, heard, ends)).cancel()
      trial.expect(ends.numbers, equals: [1, 2, 3])
    }
    trial.expect(heard.numbers, equals: [1, 2, 3])
  },
]

private func observing(_ listener: Listener) -> ObservationToken {
  observe { listener.hear() }
}

private let followed = KeyName("followed")

/// Three subscribers. On a notification, each one ends its own subscription and another's.
let rivals: [Case] = [
  Case("R14", "who has ended a subscription while others are told hears nothing any more") {
    trial in
    let store = MemoryStore()
    let heard = Log()
    let subscriptions = Subscriptions()
    for number in 0..<3 {
      subscriptions.add(
        store.subscribe(to: followed) {
          heard.append(number)
          subscriptions.end(number)
          subscriptions.end((number + 2) % 3)
        })
    }
    for text in 0x31...0x33 as ClosedRange<UInt8> { store.set([text], for: followed) }
    trial.expect(heard.count, equals: 2)
    subscriptions.removeAll()
  }
]

private final class Subscriptions: @unchecked Sendable {
  private var subscriptions: [SharedSubscription] = []

  func add(_ subscription: SharedSubscription) { subscriptions.append(subscription) }
  func end(_ number: Int) { subscriptions[number].cancel() }
  func removeAll() { subscriptions.removeAll() }
}

private struct KeepingKey: SharedReaderKey {
  let subscription: SharedSubscription

  var id: KeyName { KeyName("keeping") }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    continuation.resumeReturningInitialValue()
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    subscription
  }
}

private final class Listener: Sendable {
  private let number: Int
  private let heard: Log
  private let ends: Log

  init(_ number: Int, _ heard: Log, _ ends: Log) {
    self.number = number
    self.heard = heard
    self.ends = ends
  }

  deinit { ends.append(number) }

  func hear() { heard.append(number) }
}
