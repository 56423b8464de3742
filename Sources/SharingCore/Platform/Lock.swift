#if hasFeature(Embedded)
  /// Mutual exclusion. Embedded Swift for wasm has one thread, so it does nothing.
  package struct Lock: ~Copyable {
    package init() {}

    /// Calls `body`.
    @inline(__always)
    package borrowing func withLock<Output>(_ body: () -> Output) -> Output { body() }

    @inline(__always)
    borrowing func lock() {}

    @inline(__always)
    borrowing func lockIfFree() -> Bool { true }

    @inline(__always)
    borrowing func unlock() {}
  }
#else
  import Synchronization

  /// Mutual exclusion between threads; not recursive. A `Mutex` without a value: it guards
  /// properties of the object that owns it.
  package struct Lock: ~Copyable, Sendable {
    private let mutex = Mutex(())

    package init() {}

    /// Calls `body` with the lock held.
    @inline(__always)
    package borrowing func withLock<Output>(_ body: () -> Output) -> Output {
      lock()
      defer { unlock() }
      return body()
    }

    borrowing func lock() {
      mutex._unsafeLock()
      #if THREAD_SANITIZER
        _ = order.load(ordering: .acquiring)
      #endif
    }

    /// Tries to lock and returns whether it did.
    borrowing func lockIfFree() -> Bool {
      guard mutex._unsafeTryLock() else { return false }
      #if THREAD_SANITIZER
        _ = order.load(ordering: .acquiring)
      #endif
      return true
    }

    borrowing func unlock() {
      #if THREAD_SANITIZER
        order.store(true, ordering: .releasing)
      #endif
      mutex._unsafeUnlock()
    }

    #if THREAD_SANITIZER
      /// The sanitizer cannot see into the kernel, where a contended `Mutex` of Linux is passed on.
      private let order = Atomic(false)
    #endif
  }
#endif
