import Foundation
import SharingCore
import SharingTesting
import Testing
import WasiStorage
import XCTest

/// Tests without a trait: each has its own shared state, since SharingTesting is linked.
@Suite struct WithoutTraitTests {
  @Shared(.localStorage("without a trait")) var count = 0

  @Test func twoTestsThatUseOneKeyDoNotMeet() {
    #expect(count == 0)
    $count.withLock { $0 += 1 }
    #expect(count == 1)
  }

  @Test func norDoesThisOneMeetTheOther() {
    #expect(count == 0)
    $count.withLock { $0 += 1 }
    #expect(count == 1)
  }

  @Test(arguments: 1...50)
  func eachArgumentHasItsOwnState(number: Int) async {
    @Shared(.inMemory("without a trait")) var memory = 0
    #expect(count == 0)
    #expect(memory == 0)
    for _ in 1...number {
      $count.withLock { $0 += 1 }
      $memory.withLock { $0 += 1 }
      await Task.yield()
    }
    #expect(count == number)
    #expect(memory == number)
  }

  @Test(arguments: [Unnamed { 1 }, Unnamed { 2 }, Unnamed { 3 }], ["a", "b"])
  func soHaveArgumentsThatLookTheSame(_ unnamed: Unnamed, _ text: String) {
    #expect(count == 0)
    $count.withLock { $0 = unnamed.number() }
  }

  @Test func theStateIsKeptUntilTheTestEnds() async {
    do {
      @Shared(.localStorage("kept")) var kept = 0
      $kept.withLock { $0 = 1 }
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...20 {
        group.addTask {
          @Shared(.localStorage("kept")) var kept = 0
          $kept.withLock { $0 += 1 }
        }
      }
    }
    await Task {
      @Shared(.localStorage("kept")) var kept = 0
      $kept.withLock { $0 += 1 }
    }.value
    @Shared(.localStorage("kept")) var kept = 0
    #expect(kept == 22)
    #expect(SharingEnvironment.current.stores.local is MemoryStore)
  }

  @Test func anObserverRunsInTheTestsEnvironmentOnAnyThread() async {
    let environment = SharingEnvironment.current
    let seen = Seen()
    let token = observe { [$count] in
      _ = $count.wrappedValue
      seen.environment = SharingEnvironment.current
    }
    seen.environment = nil
    await onAnotherThread { [$count] in $count.withLock { $0 += 1 } }
    #expect(seen.environment === environment)
    token.cancel()
  }

  @Test func aThreadWithoutATestHasTheProgramsEnvironment() async {
    let own = SharingEnvironment.current
    let seen = Seen()
    await onAnotherThread { seen.environment = SharingEnvironment.current }
    let first = seen.environment
    await onAnotherThread { seen.environment = SharingEnvironment.current }
    #expect(first !== own)
    #expect(first === seen.environment)
  }

  @Test func anIssueIsAFailureOfTheTestAtItsPlace() {
    @Shared(.inMemory("key")) var number = 0
    let line = #line + 2
    withKnownIssue {
      @Shared(.inMemory("key")) var text = ""
    } matching: { issue in
      issue.sourceLocation?.line == line
        && issue.comments.first?.rawValue.hasPrefix("This key's id is in use") == true
    }
    _ = number
  }
}

/// Tests in a suite that creates no value before them.
@Suite struct PreparedWithoutTraitTests {
  @Test func theEnvironmentCanBePrepared() {
    let store = RecordingStore()
    prepareSharing { $0.stores.local = store }
    @Shared(.localStorage("prepared")) var prepared = 0
    $prepared.withLock { $0 = 1 }
    #expect(store.writes == ["prepared = 1"])
  }
}

/// Two of them are indistinguishable: a closure has no description.
struct Unnamed: Sendable {
  let number: @Sendable () -> Int

  init(_ number: @escaping @Sendable () -> Int) {
    self.number = number
  }
}

private final class Seen: @unchecked Sendable {
  weak var environment: SharingEnvironment?
}

private func onAnotherThread(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { done in
    Thread.detachNewThread {
      body()
      done.resume()
    }
  }
}

/// Only a few environments of ended tests stay alive.
@Suite(.serialized) struct LeakingTests {
  private static let made = Made()

  @Test(arguments: 1...3000) func environmentsGoWithTheirTests(number: Int) {
    Self.made.add(.current)
    #expect(Self.made.count <= 1300)
  }

  private final class Made: @unchecked Sendable {
    private struct Weak { weak var environment: SharingEnvironment? }
    private let lock = NSLock()
    private var all: [Weak] = []

    func add(_ environment: SharingEnvironment) {
      lock.withLock { all.append(Weak(environment: environment)) }
    }

    var count: Int {
      lock.withLock { Set(all.compactMap { $0.environment.map { ObjectIdentifier($0) } }).count }
    }
  }
}

/// Tests run by XCTest.
final class PlainXCTestCaseTests: XCTestCase {
  nonisolated(unsafe) private static weak var former: SharingEnvironment?
  private var count: Shared<Int>?

  override func setUp() {
    count = Shared(wrappedValue: 0, .localStorage("count"))
    XCTAssertNil(Self.former, "The environment of the test before is gone.")
    Self.former = .current
  }

  func testEachTestHasItsOwnState() {
    count?.withLock { $0 += 1 }
    XCTAssertEqual(Shared(wrappedValue: 0, .localStorage("count")).wrappedValue, 1)
  }

  func testAndSoHasTheNext() async {
    await Task.yield()
    Shared(wrappedValue: 0, .localStorage("count")).withLock { $0 += 1 }
    XCTAssertEqual(count?.wrappedValue, 1)
  }

  func testValuesInMemoryDoNotMeetEither() {
    Shared(wrappedValue: 0, .inMemory("count")).withLock { $0 += 1 }
    XCTAssertEqual(Shared(wrappedValue: 0, .inMemory("count")).wrappedValue, 1)
  }

  func testValuesInMemoryOfTheNextTestNeither() {
    Shared(wrappedValue: 0, .inMemory("count")).withLock { $0 += 1 }
    XCTAssertEqual(Shared(wrappedValue: 0, .inMemory("count")).wrappedValue, 1)
  }
}
