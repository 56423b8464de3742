import SharingCore

/// Puts off the saves of one value until there has been none for a while, or the first one has
/// waited for too long.
package final class DebouncedSave: SaveDelay, @unchecked Sendable {
  private let milliseconds: Int
  /// The longest time that a change waits, in milliseconds.
  private let limit: Int
  private let clock: any SaveClock
  private let lock = Lock()
  private var pending: (save: PendingSave, value: StoredValue)?
  /// The requests of earlier values, for which the pending one stands.
  private var replaced: [SaveRequest] = []
  private var isFlushing = false
  /// Tells the last save's call of the clock from earlier ones.
  private var number = 0
  /// The number of the first save that is pending; nil when nothing is, or when its limit is over.
  private var first: Int?

  private init(_ milliseconds: Int, _ limit: Int, _ clock: any SaveClock) {
    self.milliseconds = milliseconds
    self.limit = limit
    self.clock = clock
  }

  /// A delay by the environment's clock.
  static let make: @Sendable (_ milliseconds: Int, _ limit: Int) -> any SaveDelay = {
    DebouncedSave($0, $1, SharingEnvironment.current.stores.clockForKey)
  }

  package func save(_ save: PendingSave, of value: StoredValue) {
    let kept: PendingSave =
      if case .save(let request) = save { .save(request.withSnapshot()) } else { save }
    let (number, isFirst) = lock.withLock {
      if let pending { replaced.append(pending.save.request) }
      pending = (kept, value)
      self.number &+= 1
      defer { first = first ?? self.number }
      return (self.number, first == nil)
    }
    guard save.request.context == .didSet, clock.call(after: milliseconds, { self.flush(number) })
    else { return flush() }
    if isFirst { _ = clock.call(after: limit) { self.flush(first: number) } }
  }

  /// One thread at a time writes, so that an older value never comes last. It writes what others
  /// leave here meanwhile.
  package func flush() {
    let isFirst = lock.withLock {
      let isFirst = pending != nil && !isFlushing
      isFlushing = isFlushing || isFirst
      return isFirst
    }
    guard isFirst else { return }
    batch {
      repeat {
        let (value, number) = lock.withLock { (pending?.value, self.number) }
        // What another program has stored meanwhile takes away what is pending. Where it must not
        // be shown yet, it must not be overwritten either: the next save of the value decides.
        if let value, !value.look(), value.hasChanged {
          if isLeft(number) { return }
        } else {
          value?.whileWriting { if let taken = take() { write(taken) } }
        }
      } while mustGoOn()
    }
  }

  package func giveUp(
    _ value: StoredValue, for newer: LastKnown, from origin: LastKnown
  ) -> GivenUpSave? {
    guard let taken = take() else { return nil }
    // Before the error is told: a save that is done clears it.
    defer { answer(taken, nil) }
    return GivenUpSave(loss: loss(of: taken, value, newer, origin))
  }

  private func loss(
    of taken: Taken, _ value: StoredValue, _ newer: LastKnown, _ origin: LastKnown
  ) -> StorageError? {
    do throws(StorageError) {
      let mine = try bytes(of: taken)
      if LastKnown(mine) == newer || LastKnown(mine) == origin { return nil }
      return newer == .missing ? value.removedError : value.replacedError(mine)
    } catch {
      return value.replacedError(nil)
    }
  }

  private func flush(_ number: Int) {
    if lock.withLock({ number == self.number }) { flush() }
  }

  private func flush(first number: Int) {
    if lock.withLock({ number == first }) { flush() }
  }

  /// Stops to write and leaves what is pending, unless that is a later save's by now.
  private func isLeft(_ number: Int) -> Bool {
    lock.withLock {
      guard number == self.number else { return false }
      isFlushing = false
      first = nil  // the next save has a limit of its own
      return true
    }
  }

  private func mustGoOn() -> Bool {
    lock.withLock {
      isFlushing = pending != nil
      return isFlushing
    }
  }

  private typealias Taken = (save: PendingSave, value: StoredValue, replaced: [SaveRequest])

  private func take() -> Taken? {
    lock.withLock {
      guard let (save, value) = pending else { return nil }
      defer { (pending, replaced, first) = (nil, [], nil) }
      return (save, value, replaced)
    }
  }

  private func write(_ taken: Taken) {
    do throws(StorageError) {
      try taken.value.write(try bytes(of: taken))
      answer(taken, nil)
    } catch {
      answer(taken, error)
    }
  }

  private func bytes(of taken: Taken) throws(StorageError) -> [UInt8]? {
    switch taken.save {
    case .save(let request): try taken.value.encode(request).bytes
    case .remove: nil
    }
  }

  private func answer(_ taken: Taken, _ error: StorageError?) {
    for request in taken.replaced { request.answer(error) }
    taken.save.request.answer(error)
  }
}

extension StoredValue {
  /// What is said of a change that was not written before another program stored something else.
  fileprivate func replacedError(_ mine: [UInt8]?) -> StorageError {
    var place: UTF8Text = "It could not be kept."
    if let mine {
      do throws(StorageError) {
        place = "It is kept under \"\(try copy(mine, "replaced"))\"."
      } catch {
        place = "It could not be kept: \(error.message)"
      }
    }
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
