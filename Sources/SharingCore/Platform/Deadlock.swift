// Detects deadlocks: threads that each change one value and wait for a value of the next thread.
#if !hasFeature(Embedded)
  /// A thread that waits for a lock inside a `withLock`.
  struct NestingThread {
    let thread: UnsafeMutablePointer<Scheduler.State>
    private let lock: UnsafeRawPointer

    /// Creates a record of the current thread, nil if it changes no other value.
    init?(waitingFor lock: UnsafeRawPointer) {
      thread = Scheduler.current.thread
      self.lock = lock
      guard mutation(where: { $0 != lock }) != nil else { return nil }
    }

    /// Follows the chain of waiting threads, from this one until a thread waits for this one. All
    /// others sleep, so their mutations do not change.
    func deadlock(among others: [NestingThread]) -> Deadlock? {
      var wanted = lock
      var other: CallSite?
      for _ in others {
        var holder: (thread: NestingThread, mutation: Mutation)?
        for candidate in others {
          if let mutation = candidate.mutation(of: wanted) { holder = (candidate, mutation) }
        }
        guard let holder else { return nil }
        other = other ?? holder.mutation.site
        wanted = holder.thread.lock
        if let mine = mutation(of: wanted), let other {
          let inner = mutation(where: { $0 == lock })
          return Deadlock(outer: mine.site, inner: inner?.site, other: other)
        }
      }
      return nil
    }

    /// Returns the mutation for which the thread holds a lock, nil for the lock that it waits for.
    private func mutation(of lock: UnsafeRawPointer) -> Mutation? {
      lock == self.lock ? nil : mutation(where: { $0 == lock })
    }

    /// Returns the innermost mutation with such a lock.
    private func mutation(where isWanted: (UnsafeRawPointer) -> Bool) -> Mutation? {
      var next = thread.pointee.mutation
      while let mutation = next {
        let lock = mutation.pointee.target._withUnsafeGuaranteedRef { target in
          target.withCell { cell in withUnsafePointer(to: cell.lock) { UnsafeRawPointer($0) } }
        }
        if isWanted(lock) { return mutation.pointee }
        next = mutation.pointee.outer
      }
      return nil
    }
  }

  /// Two or more threads that wait for each other.
  struct Deadlock {
    /// The change of this thread for which another thread waits.
    let outer: CallSite
    /// The change that this thread tries to begin, nil for a read.
    let inner: CallSite?
    /// The change for which this thread waits.
    let other: CallSite

    /// Stops the program with a message that names the places.
    func stop() -> Never {
      let use: UTF8Text =
        if let inner {
          "A withLock at \(inner.text), inside that of another value at \(outer.text),"
        } else {
          "A use of a value inside the withLock of another one at \(outer.text)"
        }
      SharingIssue(
        """
        \(use) waits for the withLock at \(other.text) on another thread, which waits for this \
        one: a deadlock. Nest the withLocks in the same order everywhere, or read one value before \
        the withLock of the other.
        """, at: inner ?? outer
      ).stop()
    }
  }
#endif
