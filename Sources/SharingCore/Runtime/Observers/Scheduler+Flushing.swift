// The end of a turn: observers run, changed values are saved.

extension Scheduler {
  /// Runs observers and saves changed values until nothing is left.
  @inline(never)
  func flush() {
    thread.pointee.isFlushing = true
    while thread.pointee.hasWork {
      thread.pointee.hasWork = false
      if let node = thread.pointee.unmarkedNode { runUnmarked(node) }
      while let observer = thread.pointee.observers.next() {
        // Not a closure, which the compiler would not inline: the loop needs it inline.
        @inline(__always)
        func runInPlace(_ observer: Observer) {
          if observer.isolation.isCurrent {
            observer.runInPlace(in: self)
          } else {
            observer.leaveToActor()
          }
        }
        observer._withUnsafeGuaranteedRef(runInPlace)
        observer.endHold()
      }
      if thread.pointee.hasLateWork { finishRound() }
    }
    thread.pointee.isFlushing = false
    thread.pointee.repeatedRounds = 0
    thread.pointee.isRepeated = false
    if let afterTurn = thread.pointee.afterTurn {
      thread.pointee.afterTurn = nil
      afterTurn()
    }
  }

  /// Runs the unmarked observers of a node.
  @inline(__always)
  private func runUnmarked(_ node: Unmanaged<ObserverNode>) {
    thread.pointee.unmarkedNode = nil
    node._withUnsafeGuaranteedRef { node in
      while let (observer, isSteady) = graphLock.withLock({ node.takeUnmarked() }) {
        // Not a closure, which the compiler would not inline.
        @inline(__always)
        func runInPlace(_ observer: Observer) {
          observer.runTaken(isSteady: isSteady, in: self)
        }
        observer._withUnsafeGuaranteedRef(runInPlace)
        observer.endHold()
      }
    }
    node.release()
  }

  /// Saves changed values, runs the observers of statuses, and releases kept objects. Few turns
  /// have any of these.
  @inline(never)
  private func finishRound() {
    thread.pointee.hasLateWork = false
    let isEndless = isRepeatedTooOften()
    // Changes during the saves belong to the next round, after its observers.
    for _ in 0..<thread.pointee.unsaved.count {
      guard let cell = thread.pointee.unsaved.next() else { break }
      cell._withUnsafeGuaranteedRef { $0.saveChanges(isEndless: isEndless) }
      cell.release()
    }
    if let afterSaves = thread.pointee.afterSaves {
      if thread.pointee.mustSave {
        thread.pointee.hasLateWork = true
      } else {
        thread.pointee.afterSaves = nil
        afterSaves()
      }
    }
    for _ in 0..<thread.pointee.lateObservers.count {
      guard let observer = thread.pointee.lateObservers.next() else { break }
      run(observer)
    }
    releaseObjects()
  }

  /// Counts the rounds that the turn's own saves and reads have led to. Changes by other threads
  /// during a save do not count.
  private func isRepeatedTooOften() -> Bool {
    let isRepeated = thread.pointee.isRepeated
    thread.pointee.isRepeated = false
    thread.pointee.repeatedRounds = isRepeated ? thread.pointee.repeatedRounds + 1 : 0
    return thread.pointee.repeatedRounds > Self.runLimit
  }

  /// Releases the objects that are kept for the turn, while no observer waits for its run: the next
  /// object may be that observer. The rest is for the next round.
  private func releaseObjects() {
    while !hasWaitingObservers, let object = thread.pointee.left.next() { object.release() }
    guard !thread.pointee.left.isEmpty else { return }
    thread.pointee.hasWork = true
    thread.pointee.hasLateWork = true
  }

  private var hasWaitingObservers: Bool {
    !thread.pointee.observers.isEmpty || !thread.pointee.lateObservers.isEmpty
  }

  @inline(__always)
  private func run(_ observer: Unmanaged<Observer>) {
    observer._withUnsafeGuaranteedRef {
      if $0.isolation.isCurrent { $0.runHere(in: self) } else { $0.leaveToActor() }
    }
    observer.endHold()
  }
}
