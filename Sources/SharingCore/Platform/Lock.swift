#if hasFeature(Embedded)
  /// Mutual exclusion. Embedded Swift for wasm has one thread, so there is nothing to exclude.
  package struct Lock: ~Copyable {
    package init() {}

    /// Calls `body`.
    @inline(__always)
    package borrowing func withLock<Output>(_ body: () -> Output) -> Output {
      body()
    }
  }
#else
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// Mutual exclusion between threads; not recursive.
  ///
  /// A POSIX mutex and not `Synchronization.Mutex`, whose Linux form the thread sanitizer does not
  /// know: it would report a race for every lock.
  package struct Lock: ~Copyable, @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init() {
      mutex = .allocate(capacity: 1)
      mutex.initialize(to: pthread_mutex_t())
      pthread_mutex_init(mutex, nil)
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    /// Calls `body` while no other thread is in here.
    package borrowing func withLock<Output>(_ body: () -> Output) -> Output {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return body()
    }
  }
#endif
