import SharingCore
import Workloads

extension Workload {
  /// One value and two threads. The time is per increment, regardless of the thread.
  static let threads = [
    Workload("withLock on two threads, per increment", operations: 1000) {
      let count = Shared(value: 0)
      let pair = ThreadPair()
      return { iterations in
        for _ in 0..<iterations {
          pair.run { for _ in 0..<500 { count.withLock { $0 += 1 } } }
        }
      }
    }
  ]
}
