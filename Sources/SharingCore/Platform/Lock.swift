#if hasFeature(Embedded)
  /// Mutual exclusion. Embedded Swift for wasm has one thread, so it does nothing.
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

    @inline(__always)
    borrowing func lockIfFree() -> Bool { true }
  }
#else
  import Synchronization

  /// Mutual exclusion between threads; not recursive.
  ///
  /// It takes four bytes in place, and 11 ns to lock and unlock, like `Synchronization.Mutex`.
  /// Under contention, that mutex passes from thread to thread through the kernel: two threads that
  /// count together take 500 to 4,000 ns a step on Linux, and 100 with this lock. A POSIX mutex is
  /// as fast, and ten times as large.
  package struct Lock: ~Copyable, Sendable {
    private let state = Atomic<UInt32>(free)

    package init() {}

    /// Calls `body` with the lock held.
    @inline(__always)
    package borrowing func withLock<Output>(_ body: () -> Output) -> Output {
      lock()
      let output = body()
      unlock()
      return output
    }

    @inline(__always)
    borrowing func lock() {
      if !lockIfFree() { lockSlowly() }
    }

    @inline(__always)
    borrowing func unlock() {
      let before = state.exchange(free, ordering: .releasing)
      if before == wanted { ParkingLot.unparkAll() }
    }

    /// Tries to lock and returns whether it did.
    @inline(__always)
    borrowing func lockIfFree() -> Bool {
      state.compareExchange(expected: free, desired: held, ordering: .acquiring).exchanged
    }

    /// Spins before it sleeps: most locks here are held for less time than it takes to fall asleep.
    /// The pauses grow, so that waiting threads rarely take the lock's memory from its holder.
    @inline(never)
    private borrowing func lockSlowly() {
      let pause = Atomic(0)
      for round in 9..<14 {
        for _ in 0..<1 << round { _ = pause.load(ordering: .relaxed) }
        if state.load(ordering: .relaxed) == free, lockIfFree() { return }
      }
      while state.exchange(wanted, ordering: .acquiring) != free {
        withUnsafePointer(to: self) {
          ParkingLot.park(for: $0) { state.load(ordering: .relaxed) == wanted }
        }
      }
    }
  }

  // The states of a lock.
  private let free: UInt32 = 0
  private let held: UInt32 = 1
  /// Held, and threads may wait in the ``ParkingLot``.
  private let wanted: UInt32 = 2
#endif
