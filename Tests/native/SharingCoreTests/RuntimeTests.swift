import SharingCore
import Testing

/// What the library uses of the toolchain's runtime without a documented promise: after a change of
/// the toolchain, this says what has changed. Programs go on, by what is slower.
@Suite struct RuntimeTests {
  @MainActor @Test func theRuntimeAnswersOnWhichExecutorAThreadRuns() {
    @Shared(value: 0) var count
    var seen = 0
    let token = observe { seen = count }
    $count.withLock { $0 = 1 }
    token.cancel()
    #expect(
      RuntimeChecks.answersExecutors && seen == 1,
      """
      swift_task_isCurrentExecutorWithFlags answers otherwise with this toolchain: observers of \
      actors run later than they could. See Sources/SharingCore/Platform/RuntimeChecks.swift.
      """)
  }

  @Test func aRegistrarHashesTheKeyPathOfATrackedReadOnly() {
    #expect(
      RuntimeChecks.hashesTrackedReads,
      """
      ObservationRegistrar.access hashes key paths otherwise with this toolchain: each value that is \
      read has a registrar. See Sources/SharingCore/Platform/RuntimeChecks.swift.
      """)
  }
}
