import SharingCore
import Testing
import WasiStorage
import XCTest

/// The environments of tests that have no trait: each test has its own, as soon as this module is
/// linked.
///
/// Swift Testing does not report the end of a test. So the environments of the latest tests are
/// kept, and older ones are dropped: ``capacity`` is more than the tests that run at one time. The
/// environment of a test of XCTest ends with the test.
final class TestEnvironments: @unchecked Sendable {
  static let shared = TestEnvironments()

  /// How many environments of tests are kept at most.
  private static let capacity = 1024

  private struct Entry {
    let environment: SharingEnvironment
    var lastUse: UInt64
  }

  private let lock = Lock()
  /// Guarded by the lock, as all below.
  private var entries: [RunningTest: Entry] = [:]
  private var uses: UInt64 = 0
  private var ofXCTest: SharingEnvironment?
  private var isInXCTest = false

  /// The environment of the test that is running, which it makes at first use; nil outside of
  /// tests, and in threads of a test of Swift Testing that are no tasks of it.
  var current: SharingEnvironment? {
    if let test = RunningTest.current { return environment(of: test) }
    return lock.withLock {
      guard isInXCTest else { return nil }
      if let ofXCTest { return ofXCTest }
      let made = SharingEnvironment.inMemory { failXCTest($0) }
      ofXCTest = made
      return made
    }
  }

  private func environment(of test: RunningTest) -> SharingEnvironment {
    let (environment, dropped) = lock.withLock { () -> (SharingEnvironment, [Entry]) in
      uses += 1
      if let known = entries[test]?.environment {
        entries[test]?.lastUse = uses
        return (known, [])
      }
      let issues = TestIssues(of: test.test)
      issues.finish()  // its end is not known: nothing waits for it
      let made = SharingEnvironment.inMemory { issues.record($0) }
      let dropped = entries.count < Self.capacity ? [] : dropOldest()
      entries[test] = Entry(environment: made, lastUse: uses)
      return (made, dropped)
    }
    _ = dropped  // released here, where the lock is not held
    return environment
  }

  /// Drops the environments that have not been used for longest, a quarter of all. The lock is
  /// held.
  private func dropOldest() -> [Entry] {
    let oldest = entries.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(Self.capacity / 4)
    for (test, _) in oldest { entries[test] = nil }
    return oldest.map(\.value)
  }

  /// A test of XCTest begins or ends. They run one after the other, so all threads belong to it.
  fileprivate func xcTest(isRunning: Bool) {
    let former = lock.withLock {
      isInXCTest = isRunning
      defer { ofXCTest = nil }
      return ofXCTest
    }
    _ = former  // released here, where the lock is not held
  }
}

/// Tells when tests of XCTest begin and end.
private final class TestObserver: NSObject, XCTestObservation {
  func testCaseWillStart(_ testCase: XCTestCase) {
    TestEnvironments.shared.xcTest(isRunning: true)
  }

  func testCaseDidFinish(_ testCase: XCTestCase) {
    TestEnvironments.shared.xcTest(isRunning: false)
  }
}

/// Fails the running test of XCTest at the place of an issue, or else at an unknown one.
private func failXCTest(_ issue: SharingIssue) {
  XCTFail(
    issue.message.description, file: issue.fileID ?? "<EXPR>", line: issue.line ?? 0)
}

/// Gives tests environments of their own. SharingTestingStart calls it before `main`.
@_cdecl("sharing_testing_start")
func start() {
  SharingEnvironment.ofTest = { TestEnvironments.shared.current }
  XCTestObservationCenter.shared.addTestObserver(TestObserver())
}

extension SharingEnvironment {
  /// Returns an environment with every kind of key in memory, even if the process was given a
  /// folder.
  static func inMemory(
    reporting issue: @escaping @Sendable (SharingIssue) -> Void
  ) -> SharingEnvironment {
    let environment = SharingEnvironment()
    let stores = environment.stores
    stores.local = MemoryStore()
    stores.session = MemoryStore()
    stores.files = MemoryStore()
    stores.location = MemoryStore()
    stores.notice = nil
    environment.onIssue = issue
    return environment
  }
}
