#if hasFeature(Embedded) || os(WASI)
  /// Mutual exclusion. A program in WebAssembly has one thread, so it does nothing.
  struct RecursiveLock {
    @inline(__always)
    func withLock<Output>(_ body: () -> Output) -> Output { body() }
  }
#else
  import Foundation

  /// Mutual exclusion between threads. The thread that holds the lock may take it again.
  struct RecursiveLock: Sendable {
    private let lock = NSRecursiveLock()

    func withLock<Output>(_ body: () -> Output) -> Output { lock.withLock(body) }
  }
#endif
