import Foundation
import Workloads

extension Workload {
  /// The baselines of native programs.
  static let locks = [
    Workload("recursive lock pair") {
      let mutex = makeRecursiveMutex()
      return {
        for _ in 0..<$0 {
          pthread_mutex_lock(mutex)
          pthread_mutex_unlock(mutex)
        }
      }
    },
    Workload("NSRecursiveLock pair") {
      let lock = NSRecursiveLock()
      return {
        for _ in 0..<$0 {
          lock.lock()
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
