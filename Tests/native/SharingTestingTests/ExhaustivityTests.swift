import SharingCore
import SharingTesting
import Testing
import WasiStorage

@Suite(.sharing(exhaustivity: .on)) struct ExhaustivityTests {
  @Test func assertedChangesAreNoFailure() async {
    @Shared(.localStorage("count")) var count = 0
    $count.withLock { $0 += 1 }
    $count.assert { $0 = 1 }
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...10 { group.addTask { [$count] in $count.withLock { $0 += 1 } } }
    }
    $count.assert { $0 = 11 }
  }

  @Test func aSequenceOfValuesMakesNoChangesItself() async {
    @Shared(value: 1) var hits
    var values = $hits.publisher.values.makeAsyncIterator()
    #expect(await values.next() == 1)
    $hits = Shared(value: 2)
    #expect(await values.next() == 2)
  }

  @Test func changesMayBeSkipped() {
    @Shared(.localStorage("count")) var count = 0
    @Shared(value: "") var text
    $count.withLock { $0 += 1 }
    $count.skipChanges()
    $count.withLock { $0 += 1 }
    $text.withLock { $0 = "text" }
    SharedChangeTracker.current?.reset()
  }

  @Test(.sharing(exhaustivity: .off)) func aTestMayHaveAnother() {
    @Shared(.localStorage("count")) var count = 0
    $count.withLock { $0 += 1 }
  }

  @Test func aKnownIssueIsNoFailure() {
    @Shared(value: 0) var count
    withKnownIssue {
      SharedChangeTracker().track { $count.withLock { $0 = 1 } }
    } matching: {
      $0.comments.first?.rawValue.contains("    - 0\n    + 1") == true
    }
  }

  @Test func writtenBytesAreAssertedToo() {
    let store = RecordingStore()
    prepareSharing { $0.stores.local = store }
    @Shared(.localStorage("count")) var count = 0
    batch {
      $count.withLock { $0 += 1 }
      $count.withLock { $0 += 1 }
    }
    $count.assert { $0 = 2 }
    store.assert("count = 2")
  }
}
