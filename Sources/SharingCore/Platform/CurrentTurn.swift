#if hasFeature(Embedded)
  extension Turn {
    /// The turn of the only thread.
    nonisolated(unsafe) static let current = Turn()
  }
#else
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  extension Turn {
    /// The turn of this thread. A thread-local and not a task-local value: a `Task` that an observer
    /// starts must not inherit the observer, and a lock is held by a thread.
    static var current: Turn {
      if let turn = pthread_getspecific(key) {
        return Unmanaged<Turn>.fromOpaque(turn).takeUnretainedValue()
      }
      let turn = Turn()
      pthread_setspecific(key, Unmanaged.passRetained(turn).toOpaque())
      return turn
    }

    private static let key = {
      var key = pthread_key_t()
      let status = pthread_key_create(&key) { turn in
        guard let turn = turn as UnsafeMutableRawPointer? else { return }
        Unmanaged<Turn>.fromOpaque(turn).release()
      }
      precondition(status == 0, "SharingCore could not create its thread-local key: \(status)")
      return key
    }()
  }
#endif
