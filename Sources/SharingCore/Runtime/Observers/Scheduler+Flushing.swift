// The end of a turn: observers run, changed values are saved.

extension Scheduler {
  /// Runs observers and saves changed values until nothing is left.
  func flush() {
    while thread.pointee.hasWork {
      thread.pointee.hasWork = false
      while let observer = thread.pointee.observers.next() { runOrHandOver(observer) }
      saveChanges()
      for _ in 0..<thread.pointee.lateObservers.count {
        if let observer = thread.pointee.lateObservers.next() { runOrHandOver(observer) }
      }
    }
    thread.pointee.repeatedRounds = 0
    thread.pointee.isRepeated = false
    if let afterTurn = thread.pointee.afterTurn {
      thread.pointee.afterTurn = nil
      afterTurn()
    }
  }

  /// Runs an observer, on its actor if it has one.
  private func runOrHandOver(_ observer: Unmanaged<Observer>) {
    observer._withUnsafeGuaranteedRef {
      if $0.isolation.isCurrent { $0.run(in: self) } else { $0.leaveToActor() }
    }
    observer.release()
  }

  /// Saves changed values. Changes during the saves belong to the next round, after its observers.
  private func saveChanges() {
    let isEndless = isRepeatedTooOften()
    for _ in 0..<thread.pointee.unsaved.count {
      guard let cell = thread.pointee.unsaved.next() else { break }
      cell._withUnsafeGuaranteedRef { $0.saveChanges(isEndless: isEndless) }
      cell.release()
    }
    let isSaved = thread.pointee.observers.isEmpty && thread.pointee.unsaved.isEmpty
    if isSaved, let afterSaves = thread.pointee.afterSaves {
      thread.pointee.afterSaves = nil
      afterSaves()
    }
  }

  /// Counts the rounds that the turn's own saves and reads have led to. Changes by other threads
  /// during a save do not count.
  private func isRepeatedTooOften() -> Bool {
    let isRepeated = thread.pointee.isRepeated
    thread.pointee.isRepeated = false
    thread.pointee.repeatedRounds = isRepeated ? thread.pointee.repeatedRounds + 1 : 0
    return thread.pointee.repeatedRounds > Self.runLimit
  }
}
