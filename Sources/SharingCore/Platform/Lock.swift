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

    @inline(__always)
    borrowing func lockIfFree() -> Bool { true }
  }
#else
  import Synchronization

  /// Mutual exclusion between threads; not recursive.
  ///
  /// Four bytes in place, and 11 ns to lock and unlock, like `Synchronization.Mutex`. But that
  /// hands itself over through the kernel when it is wanted: two threads that count together then
  /// take 500 to 4,000 ns a step on Linux, and 100 with this. A POSIX mutex is as good at that, and
  /// ten times as large.
  package struct Lock: ~Copyable, Sendable {
    private let state = Atomic<UInt32>(free)

    package init() {}

    /// Calls `body` while no other thread is in here.
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
      if before == wanted { WaitingRoom.callEverybody() }
    }

    /// Locks, unless a thread is in here; tells whether it did.
    @inline(__always)
    borrowing func lockIfFree() -> Bool {
      state.compareExchange(expected: free, desired: held, ordering: .acquiring).exchanged
    }

    /// Most locks here are held for less time than it takes to fall asleep, so that comes last. Who
    /// waits looks less and less often, and does not take the lock's memory from who works with it.
    @inline(never)
    private borrowing func lockSlowly() {
      let pause = Atomic(0)
      for round in 9..<14 {
        for _ in 0..<1 << round { _ = pause.load(ordering: .relaxed) }
        if state.load(ordering: .relaxed) == free, lockIfFree() { return }
      }
      while state.exchange(wanted, ordering: .acquiring) != free {
        withUnsafePointer(to: self) {
          WaitingRoom.wait(for: $0) { state.load(ordering: .relaxed) == wanted }
        }
      }
    }
  }

  // The states of a lock.
  private let free: UInt32 = 0
  private let held: UInt32 = 1
  /// Held, and there may be threads in the ``WaitingRoom``.
  private let wanted: UInt32 = 2
#endif
