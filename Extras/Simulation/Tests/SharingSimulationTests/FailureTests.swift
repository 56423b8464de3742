import SharingCore
import SharingSimulation
import Testing
import WasiStorage

/// The simulator detects defects, and reports the shortest schedule.
@Suite struct FailureTests {
  @Test func aKeyThatDoesNotLookAtTheStoreLosesAnAction() {
    let failure = failure(of: Simulation(of: ForgetfulTab.self))
    #expect(failure?.steps == "act 0 add 0; act 1 add 1")
  }

  @Test func aKeyThatKeepsQuietAboutFailedWritesLosesAnAction() {
    let failure = failure(of: Simulation(of: SilentTab.self, faults: ["quotaExceeded"]))
    #expect(failure?.steps == "fail 0 quotaExceeded 0; act 0 add 1")
  }

  @Test func aKeyThatDoesNotTellOfChangesLeavesTabsApart() {
    let failure = failure(of: Simulation(of: DeafTab.self))
    #expect(failure?.steps == "act 0 add 0")
    #expect(failure?.problem.contains("tab 1 has received every event and shows 0") == true)
  }

  @Test func aKeyThatTellsOfNoChangeWakesObservers() {
    let failure = failure(of: Simulation(of: NoisyTab.self))
    #expect(failure?.steps == "")
    #expect(failure?.problem.contains("which has not changed") == true)
  }

  @Test func aKeyThatAnswersChangesNeverComesToRest() {
    let failure = failure(of: Simulation(of: EchoingTab.self))
    #expect(failure?.steps == "")
    #expect(failure?.problem.contains("writes in answer") == true)
  }

  @Test func aProblemOfATabIsFound() {
    let failure = failure(of: Simulation(of: AnxiousTab.self))
    #expect(failure?.steps == "act 0 count 0; act 1 count 1; act 0 count 2")
    #expect(failure?.problem == "tab 0: 3 are too many")
  }

  @Test func anActionThatReadsOutsideOfTheLockWhatItChangesIsNamed() {
    let failure = failure(of: Simulation(of: CarelessTab.self, faults: []))
    #expect(failure?.steps == "act 0 increment 0; act 1 increment 1")
    #expect(
      failure?.problem == """
        the stored value of "count" is 1; a single program with the same successful actions would \
        have stored 2. The cause is a change made from a shown value, which may be out of date: an \
        action that changes "count" has to read it in withLock
        """)
  }

  @Test func aTabCrashesOnlyWhereThatIsAFaultThatMayHappen() throws {
    let failure = failure(of: Simulation(tabs: 1, of: GuardedTab.self, faults: ["crash"]))
    #expect(failure?.problem.contains("was not closed") == true)
    try Simulation(tabs: 1, of: GuardedTab.self, faults: []).run(seeds: 0..<100)
    try Simulation(tabs: 1, of: GuardedTab.self).replay("hide 0; close 0; open 0")
  }

  @Test func oneValueThatWaitsToBeWrittenHoldsUpNoOther() throws {
    try Simulation(tabs: 2, of: LetterTab.self, stored: ["title": #""x""#]).replay(
      "act 0 write 1; act 0 entitle 0; act 1 shout 0; act 0 shout 0")
  }

  @Test func theDescriptionCanBePastedIntoATest() {
    let simulation = Simulation(tabs: 2, of: ForgetfulTab.self, stored: ["count": "7"])
    let steps = "act 0 add 3; hide 1; act 1 add 4"
    #expect(
      thrown { try simulation.replay(steps) }.map { "\($0)" }
        == """
        These steps fail: the stored value of "count" is 72; a single program with the same \
        successful actions would have stored 712. The cause is a change made from a shown value, \
        which may be out of date: an action that changes "count" has to read it in withLock.
        The shortest schedule that was found:

        try Simulation(tabs: 2, of: ForgetfulTab.self, stored: ["count": "7"]).replay(\
        "act 0 add 0; act 1 add 1")
        """)
  }

  @Test(arguments: [
    #"act 0 say "hi" 1"#, "deliver 1 my todos", "deliver 1", "lose 2 count", "lose 2", "wait 0 10",
    "hide 0", "close 0", "crash 0", "open 0", "open 0 1", "fail 0 torn 2", "clear", "arrive 0",
    "answer 1", "notify 0 1", "notifyAgain 1 0", "loseNotification 2 0",
  ])
  func aStepIsWrittenAsItIsRead(text: String) {
    #expect(SimulationStep(text[...]).map { "\($0)" } == text)
  }

  @Test(arguments: [
    "jump 0", "hide", "hide x", "hide 0 1", "wait 0", "wait 0 ten", "act 0 add", "act 0 1",
    "fail 0 fire 1", "fail 0 torn", "clear 0", "open 0 x", " hide 0", "hide 0;",
  ])
  func aTextThatIsNoStepIsReported(text: String) {
    let failure = thrown { try Simulation(of: CounterTab.self).replay("crash 0; \(text); crash 1") }
    #expect(
      failure?.problem == """
        "\(text)" is no step. A step is a text such as "act 0 add 3", in one of the forms in the \
        documentation of replay
        """)
  }

  @Test func aFaultThatDoesNotExistIsReported() {
    let failure = failure(of: Simulation(of: CounterTab.self, faults: ["crash", "fire"]))
    #expect(failure?.problem.contains(#""fail 0 fire 0" is no step"#) == true)
  }

  @Test func aSeedMakesTheSameScheduleEachTime() {
    let failures = (1...3).map { _ in failure(of: Simulation(of: ForgetfulTab.self)) }
    #expect(failures[0] != nil)
    #expect(failures[1] == failures[0])
    #expect(failures[2] == failures[0])
  }

  @Test func stepsThatMakeNoSenseDoNothing() throws {
    try Simulation(tabs: 1, of: CounterTab.self).replay(
      """
      open 0; act 5 increment 0; act 0 there is no such action 0; deliver 0 count; deliver 7; \
      lose 0; crash 3; hide -1; fail 9 crash 0; close 0; close 0; act 0 increment 1; open 0
      """)
  }

  private func failure(of simulation: Simulation) -> SimulationFailure? {
    thrown { try simulation.run(seeds: 0..<100) }
  }
}

/// A tab that sets a value computed from an earlier read.
private struct CarelessTab: SimulatedTab {
  let base = CounterTab()

  var values: [SimulatedValue] { base.values }

  static let actions: [SimulatedAction<CarelessTab>] = [
    SimulatedAction("increment") { tab, _ in
      let next = tab.base.count + 1
      tab.base.$count.withLock { $0 = next }
    }
  ]
}

/// A tab that detects, when opened, whether it was closed properly, which writes debounced changes.
private struct GuardedTab: SimulatedTab {
  private let wasClosed: Bool

  init() {
    @Shared(.localStorage("opened")) var opened = 0
    @Shared(.localStorage("closed", saving: .debounced(milliseconds: 1_000_000)))
    var closed = 0
    wasClosed = opened <= closed
    $opened.withLock { $0 += 1 }
    $closed.withLock { $0 = opened }
  }

  var values: [SimulatedValue] { [] }
  static var actions: [SimulatedAction<GuardedTab>] { [] }
  var problem: String? { wasClosed ? nil : "the tab was not closed" }
}

/// A tab with a wrong expectation of its shown value.
private struct AnxiousTab: SimulatedTab {
  let base = CounterTab()

  var values: [SimulatedValue] { base.values }

  static let actions: [SimulatedAction<AnxiousTab>] = [
    SimulatedAction("count") { tab, _ in tab.base.$count.withLock { $0 += 1 } }
  ]

  var problem: String? { base.count > 2 ? "\(base.count) are too many" : nil }
}

/// A text with a debounced save, and a title without.
private struct LetterTab: SimulatedTab {
  @Shared(.localStorage("draft", saving: .debounced(milliseconds: 100))) var draft = ""
  @Shared(.localStorage("title")) var title = ""

  var values: [SimulatedValue] {
    [SimulatedValue("draft", $draft), SimulatedValue("title", $title)]
  }

  static let actions: [SimulatedAction<LetterTab>] = [
    SimulatedAction("write") { tab, number in tab.$draft.withLock { $0 = "draft \(number)" } },
    SimulatedAction("entitle") { tab, _ in tab.$title.withLock { $0 = "x" } },
    SimulatedAction("shout") { tab, _ in tab.$title.withLock { $0 += "!" } },
  ]
}
