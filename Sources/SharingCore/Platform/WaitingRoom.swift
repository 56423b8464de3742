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

    /// Threads that sleep here while they change a value. Guarded by the mutex.
    nonisolated(unsafe) private static var nestingThreads: [NestingThread] = []

    /// Sleeps until somebody calls, if `mustWait` still holds once a call would be heard. Stops the
    /// program if the lock is held by a thread that waits for this one.
    /// - Parameter lock: The address of the lock.
    static func wait(for lock: UnsafeRawPointer, while mustWait: () -> Bool) {
      let waiting = NestingThread(waitingFor: lock)
      var deadlock: Deadlock?
      pthread_mutex_lock(mutex)
      if mustWait() {
        if let waiting {
          deadlock = waiting.deadlock(among: nestingThreads)
          nestingThreads.append(waiting)
        }
        if deadlock == nil { pthread_cond_wait(condition, mutex) }
        if let waiting { nestingThreads.removeAll { $0.thread == waiting.thread } }
      }
      pthread_mutex_unlock(mutex)
      deadlock?.stop()
    }

    /// Wakes all threads that sleep here; each looks after its own lock.
    static func callEverybody() {
      pthread_mutex_lock(mutex)
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
  }
#endif
