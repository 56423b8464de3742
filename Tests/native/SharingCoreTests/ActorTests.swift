import SharingCore
import Testing

/// Observers that are created on an actor, with changes outside of it.
@MainActor @Suite struct ActorTests {
  @Shared(value: 0) var count

  @Test func anObserverOfTheMainActorRunsThereWhereverTheChangeIsMade() async {
    let runs = Runs()
    let token = observe { runs.append(count) }
    await runs.next { change(to: 1) }
    #expect(runs.values == [0, 1])
    token.cancel()
  }

  @Test func changesOnTheActorAreSeenAtOnce() {
    let runs = Runs()
    let token = observe { runs.append(count) }
    $count.withLock { $0 = 1 }
    batch {
      $count.withLock { $0 = 2 }
      $count.withLock { $0 = 3 }
    }
    #expect(runs.values == [0, 1, 3])
    token.cancel()
  }

  @Test func manyChangesElsewhereAreSeenOnceAndNoneIsLost() async {
    let runs = Runs()
    let token = observe { runs.append(count) }
    await runs.next {
      onThreads(4) { [$count] _ in
        for _ in 0..<100 { $count.withLock { $0 += 1 } }
      }
    }
    #expect(runs.values == [0, 400])
    token.cancel()
  }

  @Test func aChangeOnTheActorIsSeenAtOnceThoughOneElsewhereStillWaits() async {
    let runs = Runs()
    let token = observe { runs.append(count) }
    change(to: 1)
    #expect(runs.values == [0])
    $count.withLock { $0 += 1 }
    #expect(runs.values == [0, 2])
    // A delayed run comes later: the actor has nothing else to run.
    await runs.next { change(to: 3) }
    #expect(runs.values == [0, 2, 3])
    token.cancel()
  }

  @Test func whatIsComputedAlikeWakesNobody() async {
    @Shared(value: 0) var other
    let isLarge = $count.read { $0 > 10 }
    let (sizes, others) = (Runs(), Runs())
    let tokens = [
      observe { sizes.append(isLarge.wrappedValue ? 1 : 0) },
      observe { others.append(other) },
    ]
    change(to: 1)
    await others.next { onThreads(1) { [$other] _ in $other.withLock { $0 = 1 } } }
    await sizes.next { change(to: 11) }
    #expect(sizes.values == [0, 1])
    for token in tokens { token.cancel() }
  }

  @Test func aTokenThatIsCancelledBeforeTheActorIsFreeEndsTheObservation() async {
    let (cancelled, going) = (Runs(), Runs())
    let token = observe { cancelled.append(count) }
    let other = observe { going.append(count) }
    await going.next {
      change(to: 1)
      token.cancel()
    }
    await going.next { change(to: 2) }
    #expect(cancelled.values == [0])
    other.cancel()
  }

  @Test func sinksRunOnTheMainActor() async {
    let runs = Runs()
    let token = $count.read { $0 * 2 }.publisher.sink { runs.append($0) }
    await runs.next { change(to: 1) }
    $count.withLock { $0 = 5 }
    #expect(runs.values == [0, 2, 10])
    token.cancel()
  }

  @Test func observersOfElementsRunOnTheMainActor() async {
    @Shared(value: [1, 2, 3]) var numbers
    let runs = Runs()
    let token = $numbers.observeElements { numbers, changes in
      if case .changed(let positions) = changes {
        runs.append(numbers[positions[0]])
      } else {
        runs.append(-1)
      }
    }
    await runs.next { onThreads(1) { [$numbers] _ in $numbers[1].withLock { $0 = 5 } } }
    #expect(runs.values == [-1, 5])
    token.cancel()
  }

  @Test func whatBelongsToNoActorRunsWithTheChange() {
    let thread = observingOnNoActor($count)
    change(to: 1)
    #expect(thread.seen.withLock { $0 } == [0, 1])
    thread.token.cancel()
  }

  private func change(to value: Int) {
    onThreads(1) { [$count] _ in $count.withLock { $0 = value } }
  }
}

@Suite struct OwnActorTests {
  @Test func anObserverOfAnActorRunsThere() async {
    let count = Shared(value: 0)
    let model = Model(count)
    await model.begin()
    await model.nextRun { onThreads(1) { _ in count.withLock { $0 = 1 } } }
    #expect(await model.seen == [0, 1])
  }

  @Test func anObserverKeepsNoActor() async {
    let count = Shared(value: 0)
    weak var gone: Model?
    do {
      let model = Model(count)
      await model.beginLoosely()
      gone = model
    }
    #expect(gone == nil)
  }
}

private actor Model {
  private let count: Shared<Int>
  private(set) var seen: [Int] = []
  private var token: ObservationToken?
  private var onRun: CheckedContinuation<Void, Never>?

  init(_ count: Shared<Int>) {
    self.count = count
  }

  func begin() {
    token = observe {
      self.assertIsolated()
      self.seen.append(self.count.wrappedValue)
      self.onRun?.resume()
      self.onRun = nil
    }
  }

  func beginLoosely() {
    token = observe { [weak self, count] in _ = (self, count.wrappedValue) }
  }

  func nextRun(after change: sending () -> Void) async {
    await withCheckedContinuation {
      onRun = $0
      change()
    }
  }
}

/// The values that an observer of the main actor has read.
@MainActor private final class Runs {
  private(set) var values: [Int] = []
  private var onRun: CheckedContinuation<Void, Never>?

  func append(_ value: Int) {
    MainActor.assertIsolated()
    values.append(value)
    onRun?.resume()
    onRun = nil
  }

  /// Waits for the next value after a change.
  func next(after change: () -> Void) async {
    await withCheckedContinuation {
      onRun = $0
      change()
      #expect(onRun != nil, "seen before the actor was free")
    }
  }
}

private func observingOnNoActor(
  _ count: Shared<Int>
) -> (seen: Guarded<[Int]>, token: ObservationToken) {
  let seen = Guarded<[Int]>([])
  return (seen, observe { seen.withLock { $0.append(count.wrappedValue) } })
}
