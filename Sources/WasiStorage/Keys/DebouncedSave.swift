import SharingCore

/// Puts off the saves of one item until there has been none for a while.
final class DebouncedSave: SaveDelay, @unchecked Sendable {
  private let milliseconds: Int
  private let clock: any SaveClock
  private let lock = Lock()
  private var pending: PendingSave?
  /// Who hears of earlier values, for which the pending one stands.
  private var waiting: [SaveContinuation] = []
  private var isFlushing = false
  /// Tells the last save's call of the clock from earlier ones.
  private var number = 0

  init(milliseconds: Int, clock: any SaveClock) {
    self.milliseconds = milliseconds
    self.clock = clock
  }

  override func save(_ save: PendingSave, now: Bool) {
    let number = lock.withLock {
      var save = save
      if let pending { save.replace(pending) }
      pending = save
      waiting.append(save.continuation)
      self.number &+= 1
      return self.number
    }
    if now || !clock.call(after: milliseconds, { self.flush(number) }) { flush() }
  }

  /// One thread at a time writes, so that an older value never comes last. It writes what others
  /// leave here meanwhile.
  override func flush() {
    let isFirst = lock.withLock {
      let isFirst = pending != nil && !isFlushing
      isFlushing = isFlushing || isFirst
      return isFirst
    }
    guard isFirst else { return }
    batch {
      repeat {
        let bytes = lock.withLock { pending?.bytes }
        // What another program has stored meanwhile takes away what is pending.
        bytes?.look()
        bytes?.whileWriting { if let taken = take() { write(taken) } }
      } while mustGoOn()
    }
  }

  override func giveUp(for news: StoredBytes.Seen) -> StorageError? {
    guard let taken = take() else { return nil }
    // Before the error is told: a save that is done clears it.
    defer { resume(taken, throwing: nil) }
    let bytes = taken.save.bytes
    do throws(StorageError) {
      let mine = try taken.save.encode(taken.save.changed)
      if StoredBytes.Seen(mine) == news { return nil }
      return news == .missing ? bytes.removedError : bytes.replacedError(mine)
    } catch {
      return bytes.replacedError(nil)
    }
  }

  private func flush(_ number: Int) {
    if lock.withLock({ number == self.number }) { flush() }
  }

  private func mustGoOn() -> Bool {
    lock.withLock {
      isFlushing = pending != nil
      return isFlushing
    }
  }

  private typealias Taken = (save: PendingSave, continuations: [SaveContinuation])

  private func take() -> Taken? {
    lock.withLock {
      guard let save = pending else { return nil }
      defer { (pending, waiting) = (nil, []) }
      return (save, waiting)
    }
  }

  private func write(_ taken: Taken) {
    do throws(StorageError) {
      try taken.save.bytes.write(try taken.save.encode(taken.save.changed))
      resume(taken, throwing: nil)
    } catch {
      resume(taken, throwing: error)
    }
  }

  private func resume(_ taken: Taken, throwing error: StorageError?) {
    for continuation in taken.continuations {
      if let error { continuation.resume(throwing: error) } else { continuation.resume() }
    }
  }
}

extension StoredBytes {
  /// What is said of a change that was not written before another program stored something else.
  fileprivate func replacedError(_ mine: [UInt8]?) -> StorageError {
    var place: UTF8Text = "It could not be kept."
    if let mine, let copy = try? copy(mine, "replaced") { place = "It is kept under \"\(copy)\"." }
    return StorageError(
      .replaced, key: name,
      """
      A change that was not written yet has been replaced by what another program has stored. \
      \(place)
      """)
  }

  /// What is said of a change that was not written before another program removed the item.
  fileprivate var removedError: StorageError {
    StorageError(
      .replaced, key: name,
      "A change that was not written yet is dropped: another program has removed the value.")
  }
}
