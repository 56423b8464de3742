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

  @Test func valuesComeOneByOneTheNewestFirst() async {
    @Shared(value: 1) var count
    var values = $count.publisher.values.makeAsyncIterator()
    #expect(await values.next() == 1)
    $count.withLock { $0 = 2 }
    $count.withLock { $0 = 3 }
    #expect(await values.next() == 3)
  }
}

private struct Pair {
  var first = 1
  var second = 2
}
