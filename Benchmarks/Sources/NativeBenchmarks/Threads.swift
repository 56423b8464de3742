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

/// Calls `body` on two threads, which begin together.
private func onTwoThreads(_ body: @escaping @Sendable () -> Void) {
  let start = StartingLine()
  let end = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    start.await()
    body()
    end.signal()
  }
  start.await()
  body()
  end.wait()
}

private final class StartingLine: Sendable {
  private let waiting = Atomic(0)

  /// Waits for the other thread. It spins: one that sleeps begins late.
  func await() {
    waiting.add(1, ordering: .acquiringAndReleasing)
    while waiting.load(ordering: .acquiring) < 2 { sched_yield() }
  }
}
