import Conformance
import NativeTesting
import Testing

/// Random schedules of programs that commit: 200, multiplied by SHARING_TIMES.
@Suite struct CommitScheduleTests {
  @Test(arguments: seeds(200))
  func nothingIsLostInASchedule(seeds: Range<UInt64>) {
    #expect(CommitSchedules.run(seeds: Int(seeds.lowerBound) + 1...Int(seeds.upperBound)) == nil)
  }
}
