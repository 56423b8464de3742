import CSystem
import Foundation
import SharingCore
import Synchronization
import Workloads

extension Workload {
  /// One value and two threads. The time is that of one increment, whoever does it.
  static let threads = [
    Workload("withLock on two threads, per increment") {
      let count = Shared(value: 0)
      return { iterations in
        onTwoThreads { for _ in 0..<iterations / 2 { count.withLock { $0 += 1 } } }
      }
    }
  ]
}

/// Calls `body` on two threads that begin together, each on a processor of its own: a scheduler that
/// runs one after the other on a busy machine would hide what they cost each other.
private func onTwoThreads(_ body: @escaping @Sendable () -> Void) {
  let start = StartingLine()
  let end = DispatchSemaphore(value: 0)
  for number: Int32 in 0..<2 {
    Thread.detachNewThread {
      bench_stay_on_processor(number)
      start.await()
      body()
      end.signal()
    }
  }
  for _ in 0..<2 { end.wait() }
}

/// Where two threads wait for each other.
private final class StartingLine: Sendable {
  private let waiting = Atomic(0)

  /// Spins until both are here: one that sleeps begins late.
  func await() {
    waiting.add(1, ordering: .acquiringAndReleasing)
    while waiting.load(ordering: .acquiring) < 2 { sched_yield() }
  }
}
