import CSystem
import Foundation
import Synchronization

/// Two threads that run the same code at the same time, each on its own processor. On a busy
/// machine, a scheduler could run one after the other and hide their contention.
final class ThreadPair: @unchecked Sendable {
  private let starts = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
  private let end = DispatchSemaphore(value: 0)
  private let ready = Atomic(0)
  /// The next body; it changes only while both threads wait.
  private var body: @Sendable () -> Void = {}

  /// Starts the threads, which live as long as the program. They wake up quickly, even on a busy
  /// machine.
  init() {
    for number in 0..<2 {
      Thread.detachNewThread { self.work(number) }
    }
  }

  /// Calls `body` on both threads, and waits for both.
  func run(_ body: @escaping @Sendable () -> Void) {
    self.body = body
    ready.store(0, ordering: .releasing)
    for start in starts { start.signal() }
    for _ in starts { end.wait() }
  }

  private func work(_ number: Int) {
    bench_stay_on_processor(Int32(number))
    while true {
      starts[number].wait()
      // Each thread begins only after the other is ready.
      ready.add(1, ordering: .acquiringAndReleasing)
      while ready.load(ordering: .acquiring) < 2 {}
      body()
      end.signal()
    }
  }
}
