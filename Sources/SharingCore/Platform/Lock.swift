#if hasFeature(Embedded)
  /// Mutual exclusion. Embedded Swift for wasm has one thread, so there is nothing to exclude.
  package struct Lock: ~Copyable {
    package init() {}

    package borrowing func withLock(_ body: () -> Void) {
      body()
    }
  }
#else
  import Synchronization

  /// Mutual exclusion between threads; not recursive.
  package struct Lock: ~Copyable {
    private let mutex = Mutex(())

    package init() {}

    package borrowing func withLock(_ body: () -> Void) {
      mutex.withLock { _ in body() }
    }
  }
#endif
