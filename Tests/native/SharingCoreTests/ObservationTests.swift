import Observation
import SharingCore
import Synchronization
import Testing

@Suite struct ObservationTests {
  @Test func observationTrackingSeesReadsAndChanges() {
    @Shared(value: 0) var count
    @SharedReader var reader: Int
    _reader = SharedReader($count)
    let changes = Mutex(0)
    withObservationTracking {
      _ = count
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    withObservationTracking {
      _ = reader
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    $count.withLock { $0 += 1 }
    #expect(changes.withLock { $0 } == 2)
  }

  @Test func whoeverIsToldOfAChangeMayReadTheValue() {
    @Shared(value: 1) var count
    let seen = Mutex(0)
    withObservationTracking {
      _ = count
    } onChange: { [$count] in
      seen.withLock { $0 = $count.wrappedValue }
    }
    $count.withLock { $0 = 2 }
    #expect(seen.withLock { $0 } == 1)
  }

  @Test func observationTrackingSeesDerivedPartsAndPointingElsewhere() {
    @Shared(value: Pair()) var pair
    let changes = Mutex(0)
    func track() {
      withObservationTracking {
        _ = $pair.first.wrappedValue
      } onChange: {
        changes.withLock { $0 += 1 }
      }
    }
    track()
    $pair.first.withLock { $0 = 5 }
    track()
    $pair = Shared(value: Pair())
    #expect(changes.withLock { $0 } == 2)
  }

  @Test func observationTrackingSeesElements() {
    let words = Shared(value: ["a", "b"])
    let second = words[1]
    let changes = Mutex(0)
    withObservationTracking {
      _ = second.wrappedValue
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    second.withLock { $0 = "c" }
    #expect(changes.withLock { $0 } == 1)
  }

  @Test func observationTrackingSeesWhatAKeyBrings() {
    let base = Shared(value: 1)
    let doubled = SharedReader(wrappedValue: 0, DoubledKey(base: base))
    let seen = Mutex<[Int]>([])
    withObservationTracking {
      _ = doubled.wrappedValue
    } onChange: {
      seen.withLock { $0.append(doubled.wrappedValue) }
    }
    base.withLock { $0 = 5 }
    #expect(seen.withLock { $0 } == [2])
    #expect(doubled.wrappedValue == 10)
  }

  @Test func valuesComeOneByOneTheNewestFirst() async {
    @Shared(value: 1) var count
    var values = $count.publisher.values.makeAsyncIterator()
    #expect(await values.next() == 1)
    $count.withLock { $0 = 2 }
    $count.withLock { $0 = 3 }
    #expect(await values.next() == 3)
  }

  @Test func valuesGoOnWhileACopyOfTheWrapperIsThere() async {
    let (copy, values) = {
      @Shared(value: 0) var count
      return ($count, $count.publisher.values)
    }()
    var iterator = values.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    copy.withLock { $0 = 1 }
    #expect(await iterator.next() == 1)
    withExtendedLifetime(copy) {}
  }

  @Test func valuesOfAReaderThatWasMadeOnTheWayGoOn() async {
    @Shared(value: 0) var count
    var iterator = $count.reader.publisher.values.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    $count.withLock { $0 = 1 }
    #expect(await iterator.next() == 1)
  }

  @Test func valuesFollowTheWrapperThatIsPointedElsewhere() async {
    @Shared(value: 0) var count
    var iterator = $count.publisher.values.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    $count = Shared(value: 5)
    #expect(await iterator.next() == 5)
    $count.withLock { $0 += 1 }
    #expect(await iterator.next() == 6)
  }

  @Test func valuesOfADerivedPartGoOn() async {
    @Shared(value: Pair()) var pair
    var iterator = $pair.second.publisher.values.makeAsyncIterator()
    #expect(await iterator.next() == 2)
    $pair.second.withLock { $0 = 3 }
    #expect(await iterator.next() == 3)
  }
}

private struct Pair {
  var first = 1
  var second = 2
}

/// A key that follows another shared value.
private struct DoubledKey: SharedReaderKey {
  let base: Shared<Int>

  var id: ObjectIdentifier { ObjectIdentifier(DoubledKey.self) }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    continuation.resume(returning: 2 * base.wrappedValue)
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    let token = observe { subscriber.yield(2 * base.wrappedValue) }
    return SharedSubscription { token.cancel() }
  }
}
