import Foundation
import Workloads

extension Workload {
  /// What natively is measured against.
  static let locks = [
    Workload("lock pair") {
      let mutex = makeRecursiveMutex()
      let count = Seen()
      return {
        for _ in 0..<$0 {
          pthread_mutex_lock(mutex)
          count.value &+= 1
          pthread_mutex_unlock(mutex)
        }
      }
    },
    Workload("NSRecursiveLock pair") {
      let lock = NSRecursiveLock()
      let count = Seen()
      return {
        for _ in 0..<$0 {
          lock.lock()
          count.value &+= 1
          lock.unlock()
        }
      }
    },
  ]
}

/// A recursive mutex that lives as long as the program.
private func makeRecursiveMutex() -> UnsafeMutablePointer<pthread_mutex_t> {
  var attributes = pthread_mutexattr_t()
  pthread_mutexattr_init(&attributes)
  pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
  let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  mutex.initialize(to: pthread_mutex_t())
  pthread_mutex_init(mutex, &attributes)
  return mutex
}
