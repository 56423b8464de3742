import Foundation
import SharingCommits
import SharingCore
import Synchronization
import Testing
import WasiStorage

/// Closures of the program that use the library again (rule R7). With a lock held, they would wait
/// for ever: the process ends after ten seconds.
@Suite struct ForeignCodeTests {
  @Test func theStoreOfAnEngineMayBeMadeWithTheHelpOfEngines() async {
    await #expect(processExitsWith: .success) {
      alarm(10)
      let engines = SharingEnvironment.current.engines
      engines.use(for: "moon") { _ in MemoryRevisionStore() }
      let made = Mutex(0)
      engines.use(for: "world") { key in
        made.withLock { $0 += 1 }
        guard EngineName("moon").isAvailable else { return MemoryRevisionStore() }
        _ = Shared(wrappedValue: 0, .engine("count", in: "moon"))
        return MemoryRevisionStore()
      }
      let count = Shared(wrappedValue: 0, .engine("count", in: "world"))
      let again = Shared(wrappedValue: 0, .engine("count", in: "world"))
      count.update { $0 += 1 }
      let isShared = again.wrappedValue == 1 && made.withLock { $0 } == 1
      exit(isShared ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test func theTrackerOfAStatusMayReadIt() async {
    await #expect(processExitsWith: .success) {
      alarm(10)
      let environment = SharingEnvironment.current
      environment.stores.local = MemoryStore()
      let count = Shared(wrappedValue: 0, .localStorage("count"))
      let reads = Mutex(0)
      environment.makeReadTracker = {
        let isFirst = reads.withLock {
          $0 += 1
          return $0 == 1
        }
        if isFirst { _ = count.isLoading }
        return ReadTracker()
      }
      let isLoading = count.isLoading
      exit(!isLoading && reads.withLock { $0 } > 0 ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }
}
