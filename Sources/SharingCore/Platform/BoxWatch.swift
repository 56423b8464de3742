#if hasFeature(Embedded)
  /// Tells who watches a box of where it points; Embedded Swift has nobody to watch.
  struct BoxWatch {
    func boxMoved(_ box: Box) {}
    func boxGoes(_ box: Box) {}
  }
#else
  import Synchronization

  /// Tells who watches a box, without keeping it, that it points elsewhere and that it goes.
  ///
  /// Few boxes are watched, so all that a box has of this is one bit.
  struct BoxWatch {
    /// Guarded by the box's lock.
    private var isWatched = false

    /// Who watches a box.
    struct Watcher: Sendable {
      let onMove: @Sendable () -> Void
      let onEnd: @Sendable () -> Void
    }

    private static let watchers = Mutex<[ObjectIdentifier: [Watcher]]>([:])

    /// Adds a watcher, until the box goes. The box's lock is held.
    mutating func add(_ watcher: Watcher, to box: Box) {
      isWatched = true
      Self.watchers.withLock { $0[ObjectIdentifier(box), default: []].append(watcher) }
    }

    /// The box points elsewhere. Its lock is not held.
    @inline(__always)
    func boxMoved(_ box: Box) {
      if isWatched { tellMove(ObjectIdentifier(box)) }
    }

    /// The box goes.
    @inline(__always)
    func boxGoes(_ box: Box) {
      if isWatched { tellEnd(ObjectIdentifier(box)) }
    }

    @inline(never)
    private func tellMove(_ box: ObjectIdentifier) {
      for watcher in Self.watchers.withLock({ $0[box] ?? [] }) { watcher.onMove() }
    }

    @inline(never)
    private func tellEnd(_ box: ObjectIdentifier) {
      for watcher in Self.watchers.withLock({ $0.removeValue(forKey: box) ?? [] }) {
        watcher.onEnd()
      }
    }
  }
#endif
