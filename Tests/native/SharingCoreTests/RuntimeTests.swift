import SharingCore
import Testing

/// Undocumented behaviour of the toolchain's runtime that the library uses. After an update of the
/// toolchain, these tests detect differences; programs then use slower code.
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
