import SharingCore
import SharingTesting
import Testing
import WasiStorage

@Suite(.sharing) struct SharingTraitTests {
  @Test(arguments: 1...50)
  func eachArgumentHasItsOwnState(number: Int) async {
    @Shared(.localStorage("count")) var count = 0
    @Shared(.inMemory("name")) var name = ""
    #expect(count == 0)
    #expect(name == "")
    for _ in 1...number {
      $count.withLock { $0 += 1 }
      await Task.yield()
    }
    $name.withLock { $0 = "\(number)" }
    #expect(count == number)
  }

  @Test func storesAreInMemoryAndKeepWhatIsWritten() {
    do {
      @Shared(.localStorage("count")) var count = 0
      $count.withLock { $0 = 1 }
    }
    @Shared(.localStorage("count")) var count = 0
    #expect(count == 1)
    #expect(SharingEnvironment.current.stores.local is MemoryStore)
    #expect(SharingEnvironment.current.stores.session is MemoryStore)
  }

  @Test func childTasksShareTheTestsState() async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...20 {
        group.addTask {
          @Shared(.inMemory("count")) var count = 0
          $count.withLock { $0 += 1 }
        }
      }
    }
    @Shared(.inMemory("count")) var count = 0
    #expect(count == 20)
  }

  @Test func anIssueIsAFailureOfTheTestAtItsPlace() {
    @Shared(.inMemory("key")) var number = 0
    let line = #line + 2
    withKnownIssue {
      @Shared(.inMemory("key")) var text = ""
    } matching: { issue in
      issue.sourceLocation?.fileID == "SharingTestingTests/SharingTraitTests.swift"
        && issue.sourceLocation?.filePath == #filePath && issue.sourceLocation?.line == line
        && issue.comments.first?.rawValue.hasPrefix("This key's id is in use") == true
    }
    _ = number
  }

  @Test func theEnvironmentCanBePreparedUntilItIsUsed() {
    let store = RecordingStore()
    prepareSharing { $0.stores.local = store }
    @Shared(.localStorage("count")) var count = 0
    $count.withLock { $0 = 1 }
    #expect(store.writes == ["count = 1"])
    let line = #line + 2
    withKnownIssue {
      prepareSharing { $0.stores.local = MemoryStore() }
    } matching: {
      $0.sourceLocation?.line == line
    }
    #expect(SharingEnvironment.current.stores.local === store)
  }

  @Test func changesNeedNotBeAsserted() {
    @Shared(.inMemory("count")) var count = 0
    $count.withLock { $0 += 1 }
    #expect(SharedChangeTracker.current == nil)
  }

  @Suite struct Nested {
    @Test(arguments: 1...2) func suitesInASuiteHaveTheTrait(number: Int) {
      @Shared(.localStorage("count")) var count = 0
      #expect(count == 0)
      $count.withLock { $0 = number }
    }
  }
}
