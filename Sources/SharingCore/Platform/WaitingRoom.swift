#if !hasFeature(Embedded)
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(WASILibc)
    import WASILibc
  #else
    import Glibc
  #endif

  /// Where threads sleep until the ``Lock`` that they want may be free. There is one for all locks:
  /// they are seldom wanted for so long that a thread comes here.
  enum WaitingRoom {
    nonisolated(unsafe) private static let mutex = {
      let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
      pthread_mutex_init(mutex, nil)
      return mutex
    }()
    nonisolated(unsafe) private static let condition = {
      let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
      pthread_cond_init(condition, nil)
      return condition
    }()

    /// Sleeps until somebody calls, if `mustWait` still holds once a call would be heard.
    static func wait(while mustWait: () -> Bool) {
      pthread_mutex_lock(mutex)
      if mustWait() { pthread_cond_wait(condition, mutex) }
      pthread_mutex_unlock(mutex)
    }

    /// Wakes all threads that sleep here; each looks after its own lock.
    static func callEverybody() {
      pthread_mutex_lock(mutex)
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
  }
#endif
