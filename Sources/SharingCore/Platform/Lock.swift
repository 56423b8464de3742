#if hasFeature(Embedded)
  /// Mutual exclusion. Embedded Swift for wasm has one thread, so there is nothing to exclude.
  package struct Lock: ~Copyable {
    package init() {}

    /// Calls `body`.
    @inline(__always)
    package borrowing func withLock<Output>(_ body: () -> Output) -> Output {
      body()
    }

    @inline(__always)
    borrowing func lock() {}

    @inline(__always)
    borrowing func unlock() {}

    /// Calls `body`.
    @inline(__always)
    borrowing func withLockIfFree(_ body: () -> Void) -> Bool {
      body()
      return true
    }
  }
#elseif THREAD_SANITIZER
  import Synchronization

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// Mutual exclusion between threads; not recursive.
  ///
  /// The thread sanitizer does not know the Linux form of `Mutex` and would report a race for every
  /// lock, so its builds have a POSIX mutex.
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
      lock()
      defer { unlock() }
      return body()
    }

    borrowing func lock() { pthread_mutex_lock(mutex) }
    borrowing func unlock() { pthread_mutex_unlock(mutex) }

    /// Calls `body`, unless a thread is in here; tells whether it did.
    borrowing func withLockIfFree(_ body: () -> Void) -> Bool {
      guard pthread_mutex_trylock(mutex) == 0 else { return false }
      defer { pthread_mutex_unlock(mutex) }
      body()
      return true
    }
  }
#else
  import Synchronization

  /// Mutual exclusion between threads; not recursive.
  package struct Lock: ~Copyable, Sendable {
    private let mutex = Mutex<Void>(())

    package init() {}

    /// Calls `body` while no other thread is in here.
    @inline(__always)
    package borrowing func withLock<Output>(_ body: () -> Output) -> Output {
      lock()
      defer { unlock() }
      return body()
    }

    @inline(__always)
    borrowing func lock() { mutex._unsafeLock() }

    @inline(__always)
    borrowing func unlock() { mutex._unsafeUnlock() }

    /// Calls `body`, unless a thread is in here; tells whether it did.
    @inline(__always)
    borrowing func withLockIfFree(_ body: () -> Void) -> Bool {
      guard mutex._unsafeTryLock() else { return false }
      defer { mutex._unsafeUnlock() }
      body()
      return true
    }
  }
#endif
