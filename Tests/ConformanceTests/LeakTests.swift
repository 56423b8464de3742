#if os(Linux) && !THREAD_SANITIZER
  import Conformance
  import Foundation
  import Testing

  @Suite struct LeakTests {
    /// In a process of its own, where no other test takes memory meanwhile.
    @Test func whatIsMadeAndDroppedLeavesNoMemoryBehind() async {
      await #expect(processExitsWith: .success) {
        for _ in 1...2000 { for churn in churns { churn.run() } }
        let before = residentBytes()
        for _ in 1...8000 { for churn in churns { churn.run() } }
        let growth = residentBytes() - before
        // The smallest block is 32 bytes: 8,000 of those are more.
        if growth > 250_000 { fatalError("memory grew by \(growth) bytes") }
      }
    }
  }

  /// How much memory the process has of its own: not what is in memory of its files, as the kernel likes.
  private func residentBytes() -> Int {
    let words = try! String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
      separator: " ")
    return (Int(words[1])! - Int(words[2])!) * 4096
  }
#endif
