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

    private static let watchers = Mutex<[ObjectIdentifier: [Watcher]]>([:])

    /// Adds a watcher until the handle is freed. The handle's lock is held.
    mutating func add(_ watcher: Watcher, to handle: Handle) {
      isWatched = true
      Self.watchers.withLock { $0[ObjectIdentifier(handle), default: []].append(watcher) }
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
      for watcher in Self.watchers.withLock({ $0[handle] ?? [] }) { watcher.onMove() }
    }

    @inline(never)
    private func reportEnd(_ handle: ObjectIdentifier) {
      for watcher in Self.watchers.withLock({ $0.removeValue(forKey: handle) ?? [] }) {
        watcher.onEnd()
      }
    }
  }
#endif
