#if hasFeature(Embedded)
  /// Notifies watchers of a handle; Embedded Swift has none.
  struct HandleWatch {
    func handleMoved(_ handle: Handle) {}
    func handleGoes(_ handle: Handle) {}
  }
#else
  import Synchronization

  /// Notifies watchers when a handle is pointed elsewhere and when it is freed, without retaining
  /// it.
  ///
  /// Few handles are watched, so a handle stores one bit for it.
  struct HandleWatch {
    /// Guarded by the handle's lock.
    private var isWatched = false

    /// The callbacks of a watcher.
    struct Watcher: Sendable {
      let onMove: @Sendable () -> Void
      let onEnd: @Sendable () -> Void
    }

    /// The watchers of all handles, each with a number.
    private struct Watchers {
      var ofHandles: [ObjectIdentifier: [Int: Watcher]] = [:]
      var lastNumber = 0
    }

    private static let watchers = Mutex(Watchers())

    /// Adds a watcher until it is removed, or the handle is freed. The handle's lock is held.
    /// - Returns: The watcher's number.
    mutating func add(_ watcher: Watcher, to handle: Handle) -> Int {
      isWatched = true
      return Self.watchers.withLock {
        $0.lastNumber += 1
        $0.ofHandles[ObjectIdentifier(handle), default: [:]][$0.lastNumber] = watcher
        return $0.lastNumber
      }
    }

    /// Removes a watcher of a handle, which may have been freed.
    static func remove(_ number: Int, of handle: ObjectIdentifier) {
      // Its callbacks are freed after the lock is released, because that may run foreign code.
      _ = watchers.withLock { $0.ofHandles[handle]?.removeValue(forKey: number) }
    }

    /// Called when the handle points elsewhere. Its lock is not held.
    @inline(__always)
    func handleMoved(_ handle: Handle) {
      if isWatched { reportMove(ObjectIdentifier(handle)) }
    }

    /// Called when the handle is freed.
    @inline(__always)
    func handleGoes(_ handle: Handle) {
      if isWatched { reportEnd(ObjectIdentifier(handle)) }
    }

    @inline(never)
    private func reportMove(_ handle: ObjectIdentifier) {
      let watchers = Self.watchers.withLock { $0.ofHandles[handle] }
      for watcher in (watchers ?? [:]).values { watcher.onMove() }
    }

    @inline(never)
    private func reportEnd(_ handle: ObjectIdentifier) {
      let watchers = Self.watchers.withLock { $0.ofHandles.removeValue(forKey: handle) }
      for watcher in (watchers ?? [:]).values { watcher.onEnd() }
    }
  }
#endif
