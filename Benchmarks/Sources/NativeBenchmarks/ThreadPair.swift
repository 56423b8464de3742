import CSystem
import Foundation
import Synchronization

/// Two threads that do the same at the same time, each on a processor of its own: a scheduler that
/// has one run after the other, on a busy machine, would hide what they cost each other.
final class ThreadPair: @unchecked Sendable {
  private let starts = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
  private let end = DispatchSemaphore(value: 0)
  private let ready = Atomic(0)
  /// What to do next; it changes only while both threads wait for their start.
  private var body: @Sendable () -> Void = {}

  /// The threads live as long as the program. Made once, they are there at once when they are
  /// woken, whatever else is running.
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
      // Neither begins before the other is there.
      ready.add(1, ordering: .acquiringAndReleasing)
      while ready.load(ordering: .acquiring) < 2 {}
      body()
      end.signal()
    }
  }
}
