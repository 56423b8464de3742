import CommitExploration
import NativeTesting
import Testing

/// Explores the sequences of events of two programs that commit: each setting by 300 runs,
/// multiplied by SHARING_TIMES.
@Suite struct CommitExplorationTests {
  @Test("R15, R28, R29, R32: Nothing is lost, doubled or stuck", arguments: CommitExploration.names)
  func allSequences(_ name: String) {
    let exploration = CommitExploration(name, runLimit: 300 * times)
    #expect(exploration.depth > 0)
    for problem in exploration.problems { Issue.record("\(problem)") }
  }
}
