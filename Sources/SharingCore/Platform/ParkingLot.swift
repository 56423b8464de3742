#if os(WASI) && !_runtime(_multithreaded)
  /// A program with one thread, in which nobody else can free a lock.
  enum ParkingLot {
    /// Stops the program: its only thread waits for itself.
    static func park(for lock: UnsafeRawPointer, while mustWait: () -> Bool) {
      fatalError("The only thread waits for a lock that it holds.")
    }

    static func unparkAll() {}
  }
#elseif !hasFeature(Embedded)
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(WASILibc)
    import WASILibc
  #else
    import Glibc
  #endif

  /// Parks threads until the ``Lock`` that they wait for may be free. There is one parking lot for
  /// all locks, because waits are rarely long enough to come here.
  enum ParkingLot {
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

    /// The threads that sleep here while they change a value. Guarded by the mutex.
    nonisolated(unsafe) private static var nestingThreads: [NestingThread] = []

    /// Sleeps until ``unparkAll()``, if `mustWait` still returns true when such a call can wake the
    /// thread. Stops the program if the holder of the lock waits for this thread.
    /// - Parameter lock: The address of the lock.
    static func park(for lock: UnsafeRawPointer, while mustWait: () -> Bool) {
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

    /// Wakes all sleeping threads; each checks its own lock.
    static func unparkAll() {
      pthread_mutex_lock(mutex)
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
  }
#endif
