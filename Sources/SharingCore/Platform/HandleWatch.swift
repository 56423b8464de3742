#if hasFeature(Embedded)
  /// Notifies watchers of a handle; Embedded Swift has none.
  struct HandleWatch {
    func handleMoved() {}
    func handleGoes() {}
  }
#else
  /// Notifies watchers when a handle is pointed elsewhere and when it is freed. A watcher does not
  /// retain the handle. The handle's lock guards the list.
  struct HandleWatch {
    private var watchers: [Watcher] = []

    /// The callbacks of a watcher.
    final class Watcher: Sendable {
      let onMove: @Sendable () -> Void
      let onEnd: @Sendable () -> Void

      init(onMove: @escaping @Sendable () -> Void, onEnd: @escaping @Sendable () -> Void) {
        self.onMove = onMove
        self.onEnd = onEnd
      }
    }

    mutating func add(_ watcher: Watcher) {
      watchers.append(watcher)
    }

    /// Removes a watcher. The caller retains it, so that its callbacks, which are foreign code, are
    /// not freed under the lock.
    mutating func remove(_ watcher: Watcher) {
      watchers.removeAll { $0 === watcher }
    }

    /// Called when the handle points elsewhere. Its lock is not held.
    func handleMoved() {
      for watcher in watchers { watcher.onMove() }
    }

    /// Called when the handle is freed.
    func handleGoes() {
      for watcher in watchers { watcher.onEnd() }
    }
  }
#endif
