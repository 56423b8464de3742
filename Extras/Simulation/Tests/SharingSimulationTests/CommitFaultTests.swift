import SharingCore
import SharingSimulation
import Testing
import WasiStorage

/// Each fault of a commit occurs: a tab observes it, and each step of its schedule is necessary.
/// A tab requests the stored value when it is opened: the request arrives and is answered first.
@Suite struct CommitFaultTests {
  @Test func commitsMeetAndOneIsMadeAgain() {
    // With an open transaction, like every other tab.
    let meeting = """
      arrive 0; answer 0; arrive 1; answer 1; act 1 count 4; act 0 count 5; arrive 1; arrive 0
      """
    expect(nil, wanting: "shows 1", "\(meeting); act 0 look 8")
    // Tab 1 could observe it earlier: a shorter schedule covers that.
    expect("tab 1: shows 1", "\(meeting); answer 0; act 0 look 9", isShortest: false)
    // The answer is a conflict.
    let again = """
      arrive 1; answer 1; act 0 count 2; act 1 count 3; arrive 0; arrive 0; arrive 1; answer 1
      """
    expect(nil, wanting: "shows 1", "\(again); act 1 look 8")
    expect(
      "tab 1: shows 1", "\(again); arrive 1; answer 1; act 1 look 10", isShortest: false)
  }

  @Test func aNotificationComesLate() {
    expect("tab 1: shows 1", "\(counted); notify 1 0; act 1 look 5")
  }

  @Test func notificationsComeInAnyOrder() {
    let twice = "\(counted); answer 0; act 0 count 5; arrive 0"
    expect("tab 1: shows 2", "\(twice); notify 1 1; act 1 look 8")
    expect("tab 1: shows 1", "\(twice); notify 1 0; act 1 look 8", isShortest: false)
    expect(nil, wanting: "shows 1", "\(twice); notify 1 1; notify 1 0; act 1 look 9")
  }

  @Test func aNotificationComesTwice() {
    let heard = "\(counted); notifyAgain 1 0"
    expect("tab 1: shows 1", "\(heard); act 1 look 5")
    // It is still under way, so later messages have other numbers.
    let next = "answer 0; act 0 count 6; arrive 0"
    expect("tab 1: shows 2", "\(heard); \(next); notify 1 1; act 1 look 9", isShortest: false)
    expect(nil, wanting: "shows 2", "\(heard); \(next); notify 1 0; act 1 look 9")
  }

  @Test func aNotificationNeverComes() {
    expect(
      nil, wanting: "shows 1",
      "\(counted); loseNotification 1 0; notify 1 0; act 1 look 5")
  }

  @Test func anAnswerIsLostAndTheUpdateIsThereOnce() {
    expect(
      "tab 0: not saved: The answer is lost.",
      "fail 0 lostAnswer 1; act 0 count 1; arrive 0; arrive 0; answer 0; answer 0; act 0 look 6")
  }

  @Test func aCommitThatIsGivenUpArrivesAllTheSame() {
    let failed = "fail 0 lateCommit 1; act 0 count 1; answer 0"
    expect("tab 0: not saved: It takes too long.", "\(failed); act 0 look 3")
    // It conflicts, since the tab has not read the stored value yet: it is repeated there.
    let arrived = "arrive 0; arrive 0; notify 1 1; act 1 look 6"
    expect("tab 1: shows 1", "\(failed); \(arrived)", isShortest: false)
  }

  @Test(arguments: [
    ("quotaExceeded", "The storage is full."), ("denied", "The storage refuses."),
  ])
  func aCommitFails(fault: String, message: String) {
    expect(
      "tab 0: not saved: \(message)",
      "fail 0 \(fault) 1; act 0 count 1; answer 0; act 0 look 3")
  }

  @Test func aLoadFails() {
    expect(
      "tab 0: not loaded: The storage refuses.",
      "close 0; fail 0 denied 0; open 0; answer 0; act 0 look 4")
  }

  @Test func whatATabHasLeftThatIsGoneIsRecovered() {
    for end in ["crash 0", "close 0"] {
      expect("tab 0: shows 1", "act 0 count 0; \(end); open 0; act 0 look 3")
    }
  }

  @Test(arguments: ["crash", "torn"])
  func aTabCrashesBeforeItsJournalOrBeforeItsCommit(fault: String) {
    let rest = "act 0 count 1; open 0; act 0 look 3"
    expect(nil, wanting: "shows 1", "fail 0 \(fault) 0; \(rest)")
    expect("tab 0: shows 1", "fail 0 \(fault) 1; \(rest)")
  }

  @Test func aTabCrashesAfterItsCommitWhichIsThereOnce() {
    let gone = "arrive 0; answer 0; act 0 count 2; crash 0; arrive 0"
    expect("tab 1: shows 1", "\(gone); notify 1 0; act 1 look 6", isShortest: false)
    expect(nil, wanting: "shows 2", "\(gone); open 0; act 0 look 6")
  }

  @Test func withoutRoomForAJournalATabTakesWithItWhatItHasNotCommitted() {
    // The second attempt is without the copies.
    let crash = "fail 0 quotaExceeded 0; fail 0 crash 2; act 0 count 3; open 0; act 0 look 5"
    expect(nil, wanting: "shows 1", "fail 0 quotaExceeded 0; \(crash)")
    expect("tab 0: shows 1", crash, isShortest: false)
  }

  @Test func aJournalIsReadAsItWasAndWhatWasWrittenSinceStays() throws {
    // Tab 0 reads the journal of tab 1 before it removes the stored steps from it.
    try Simulation(tabs: 2, of: TallyTab.self).replay(
      """
      act 1 count 7; close 0; fail 0 outdated 4; open 0; arrive 0; act 0 double 12; \
      act 1 double 13; arrive 0; arrive 0; answer 0; act 0 count 18; answer 0
      """)
  }

  @Test func whatIsClearedIsGone() {
    let asked = "arrive 1; answer 1; act 1 look 6"
    expect("tab 1: shows 1", "\(counted); \(asked)", isShortest: false)
    expect(nil, wanting: "shows 1", "\(counted); clear; \(asked)")
  }

  /// Tab 0 has counted, without a notification to the others.
  private let counted = "arrive 0; answer 0; act 0 count 2; arrive 0"

  /// - Parameters:
  ///   - problem: The expected problem; nil if the schedule succeeds.
  ///   - wanted: The problem that would occur otherwise.
  ///   - isShortest: Whether each step is necessary.
  private func expect(
    _ problem: String?, wanting wanted: String = "", _ steps: String,
    isShortest: Bool = true, _ location: SourceLocation = #_sourceLocation
  ) {
    let wanted = problem.map { String($0.drop { $0 != ":" }.dropFirst(2)) } ?? wanted
    let found = WitnessTab.$wanted.withValue(wanted) {
      thrown { try Simulation(tabs: 2, of: WitnessTab.self).replay(steps) }
    }
    #expect(found?.problem == problem, sourceLocation: location)
    if isShortest, problem != nil { #expect(found?.steps == steps, sourceLocation: location) }
  }
}
