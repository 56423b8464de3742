import SharingCore
import SharingTesting
import WasiStorage
import XCTest

/// Tests run by XCTest, which have their own shared state, too.
final class XCTestCaseTests: XCTestCase {
  /// The failures, recorded instead of reported to XCTest.
  private var failures: [String]?
  private var counted: Shared<Int>?

  override func setUp() {
    prepareSharing { $0.stores.local = Self.makeStore() }
    counted = Shared(wrappedValue: 0, .localStorage("count"))
  }

  func testATestIsKnownAsOne() {
    XCTAssertTrue(isTesting)
  }

  func testEachTestHasItsOwnState() {
    counted?.withLock { $0 += 1 }
    XCTAssertEqual(counted?.wrappedValue, 8)
  }

  func testAndSoHasTheNext() {
    counted?.withLock { $0 += 1 }
    XCTAssertEqual(counted?.wrappedValue, 8)
  }

  func testFilesAreInMemory() {
    XCTAssertTrue(SharingEnvironment.current.stores.files is MemoryStore)
  }

  func testAPartOfATestHasItsOwnStateToo() {
    let count = SharingEnvironment().run {
      let count = Shared(wrappedValue: 0, .localStorage("count"))
      count.withLock { $0 += 1 }
      return count.wrappedValue
    }
    XCTAssertEqual(count, 1)
    XCTAssertEqual(counted?.wrappedValue, 7)
  }

  func testAnAsynchronousTestHasTheSameStateAsItsSetUp() async {
    await Task.yield()
    let count = Shared(wrappedValue: 0, .localStorage("count"))
    XCTAssertEqual(count.wrappedValue, 7)
    await SharingEnvironment().run {
      await Task.yield()
      XCTAssertEqual(Shared(wrappedValue: 0, .localStorage("count")).wrappedValue, 0)
    }
  }

  func testAnIssueIsAFailureAtItsPlace() {
    failures = []
    let number = Shared(wrappedValue: 0, .inMemory("key"))
    _ = Shared(wrappedValue: "", .inMemory("key"), fileID: "Tests/Mine.swift", line: 8)
    _ = number
    XCTAssertEqual(failures?.count, 1)
    XCTAssertTrue(failures?.first?.hasPrefix("Tests/Mine.swift:8 ") == true, "\(failures ?? [])")
    XCTAssertTrue(failures?.first?.contains("This key's id is in use") == true)
  }

  func testAChangeThatWasNotAssertedIsAFailure() {
    failures = []
    SharedChangeTracker().track {
      let count = Shared(wrappedValue: 0, .inMemory("count"))
      count.withLock { $0 += 1 }
      count.assert { $0 = 1 }
    }
    XCTAssertEqual(failures, [])
    SharedChangeTracker().track {
      Shared(wrappedValue: 0, .inMemory("count")).withLock { $0 += 1 }
    }
    XCTAssertTrue(failures?.first?.contains("was not asserted") == true)
  }

  override func recordFailure(
    withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
    expected: Bool
  ) {
    guard failures == nil || !expected else {
      failures?.append("\(filePath):\(lineNumber) \(description)")
      return
    }
    super.recordFailure(
      withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
  }

  private static func makeStore() -> MemoryStore {
    let store = MemoryStore()
    store.set(Array("7".utf8), for: KeyName("count"))
    return store
  }
}
