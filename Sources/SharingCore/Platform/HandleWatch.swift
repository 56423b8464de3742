#if hasFeature(Embedded)
  /// Tells who watches a handle of where it points; Embedded Swift has nobody to watch.
  struct HandleWatch {
    func handleMoved(_ handle: Handle) {}
    func handleGoes(_ handle: Handle) {}
  }
#else
  import Synchronization

  /// Tells who watches a handle, without keeping it, that it points elsewhere and that it goes.
  ///
  /// Few handles are watched, so all that a handle has of this is one bit.
  struct HandleWatch {
    /// Guarded by the handle's lock.
    private var isWatched = false

    /// Who watches a handle.
    struct Watcher: Sendable {
      let onMove: @Sendable () -> Void
      let onEnd: @Sendable () -> Void
    }

    private static let watchers = Mutex<[ObjectIdentifier: [Watcher]]>([:])

    /// Adds a watcher, until the handle goes. The handle's lock is held.
    mutating func add(_ watcher: Watcher, to handle: Handle) {
      isWatched = true
      Self.watchers.withLock { $0[ObjectIdentifier(handle), default: []].append(watcher) }
    }

    /// The handle points elsewhere. Its lock is not held.
    @inline(__always)
    func handleMoved(_ handle: Handle) {
      if isWatched { tellMove(ObjectIdentifier(handle)) }
    }

    /// The handle goes.
    @inline(__always)
    func handleGoes(_ handle: Handle) {
      if isWatched { tellEnd(ObjectIdentifier(handle)) }
    }

    @inline(never)
    private func tellMove(_ handle: ObjectIdentifier) {
      for watcher in Self.watchers.withLock({ $0[handle] ?? [] }) { watcher.onMove() }
    }

    @inline(never)
    private func tellEnd(_ handle: ObjectIdentifier) {
      for watcher in Self.watchers.withLock({ $0.removeValue(forKey: handle) ?? [] }) {
        watcher.onEnd()
      }
    }
  }
#endif
