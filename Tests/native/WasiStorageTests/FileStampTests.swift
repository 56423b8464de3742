import Testing
import WasiStorage

/// When a poll reports a change of a file.
@Suite struct FileStampTests {
  private static let old = stamp(modified: 1)

  @Test func aFileThatStaysTheSameIsNotReported() {
    #expect(outcomes(from: Self.old, [Self.old, Self.old]) == [.unchanged, .unchanged])
    #expect(outcomes(from: nil, [nil, nil]) == [.unchanged, .unchanged])
  }

  @Test(arguments: [
    stamp(device: 2), stamp(inode: 2), stamp(size: 2), stamp(modified: 2), stamp(changed: 2), nil,
  ])
  func aChangeIsReportedOnceWhenTwoPollsHaveFoundIt(new: FileStamp?) {
    #expect(
      outcomes(from: Self.old, [new, new, new, new])
        == [.changing, .changed, .unchanged, .unchanged])
  }

  @Test func aFileThatIsMadeIsReported() {
    #expect(outcomes(from: nil, [Self.old, Self.old]) == [.changing, .changed])
  }

  @Test func aFileThatIsBeingWrittenIsReportedWhenItIsWhole() {
    let sizes = [0, 10, 20, 20, 20].map { Self.stamp(size: $0) }
    #expect(
      outcomes(from: Self.old, sizes) == [.changing, .changing, .changing, .changed, .unchanged])
  }

  @Test func aFileThatChangesInEachPollIsReportedAfterAQuarterOfASecond() {
    let stamps = (2...25).map { Self.stamp(modified: $0) }
    let reports = outcomes(from: Self.old, stamps).enumerated().filter { $0.element == .changed }
    #expect(reports.map(\.offset) == [10, 20])
  }

  /// Returns the outcomes of polls that are 25 ms apart.
  private func outcomes(
    from first: FileStamp?, _ stamps: [FileStamp?]
  ) -> [StampHistory.Outcome] {
    var history = StampHistory(first)
    return stamps.enumerated().map { number, stamp in
      history.add(stamp, at: 0.025 * Double(number))
    }
  }

  private static func stamp(
    device: UInt64 = 1, inode: UInt64 = 1, size: Int64 = 1, modified: Int64 = 1, changed: Int64 = 1
  ) -> FileStamp {
    FileStamp(device: device, inode: inode, size: size, modified: modified, changed: changed)
  }
}
