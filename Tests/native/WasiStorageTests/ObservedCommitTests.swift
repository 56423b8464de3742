import Observation
import SharingCommits
import SharingCore
import Synchronization
import Testing

/// Closures of `withObservationTracking` that use the value which another program has changed.
@Suite(.timeLimit(.minutes(1))) struct ObservedCommitTests {
  private let store = MemoryRevisionStore()
  private let one = SharingEnvironment()
  private let other = SharingEnvironment()

  @Test func aClosureMaySaveTheValue() {
    let (count, theirs) = (one.run { self.count() }, other.run { self.count() })
    let answers = Mutex(0)
    withObservationTracking {
      _ = count.wrappedValue
    } onChange: {
      count.save { _ in answers.withLock { $0 += 1 } }
    }
    theirs.update { $0 += 10 }
    #expect(count.wrappedValue == 10)
    #expect(answers.withLock { $0 } == 1)
    count.update { $0 += 1 }
    #expect(theirs.wrappedValue == 11)
  }

  @Test func aClosureMayLoadTheValue() {
    let (count, theirs) = (one.run { self.count() }, other.run { self.count() })
    let calls = Mutex(0)
    withObservationTracking {
      _ = count.wrappedValue
    } onChange: {
      // Observation calls it again if the load changes the value.
      let call = calls.withLock {
        $0 += 1
        return $0
      }
      if call == 1 { count.load() }
    }
    theirs.update { $0 += 10 }
    #expect(count.wrappedValue == 10)
    count.update { $0 += 1 }
    #expect(theirs.wrappedValue == 11)
  }

  private func count() -> Shared<Int> {
    Shared(wrappedValue: 0, .revisions("count", in: store))
  }
}
