import Conformance
import Foundation
import Testing

/// Random schedules of programs that commit: on other hosts, the cases run some of them.
///
/// SHARING_SCHEDULES says how many there are.
@Suite struct CommitScheduleTests {
  @Test(arguments: 0..<count / 100)
  func nothingIsLostInAHundredSchedules(part: Int) {
    let first = 1 + 100 * part
    #expect(CommitSchedules.run(seeds: first...first + 99) == nil)
  }
}

private let count: Int = {
  ProcessInfo.processInfo.environment["SHARING_SCHEDULES"].flatMap { Int($0) } ?? 2000
}()
