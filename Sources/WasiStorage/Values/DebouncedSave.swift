import SharingCore

/// Delays the saves of one value until no save has come for a while, or the first one has waited
/// for the limit.
package final class DebouncedSave: SaveDelay, @unchecked Sendable {
  private let milliseconds: Int
  /// The longest time that a change waits, in milliseconds.
  private let limit: Int
  private let clock: any SaveClock
  private let lock = Lock()
  private var pending: (save: PendingSave, value: StoredValue)?
  /// The requests of earlier saves, which the pending one replaces. They get its answer.
  private var replaced: [SaveRequest] = []
  private var isFlushing = false
  /// The number of the last save. The clock's calls for earlier saves are ignored.
  private var number = 0
  /// The number of the first pending save, for its limit; nil if no save is pending, or if a flush
  /// left the pending one to the next save.
  private var first: Int?

  private init(_ milliseconds: Int, _ limit: Int, _ clock: any SaveClock) {
    self.milliseconds = milliseconds
    self.limit = limit
    self.clock = clock
  }

  /// Creates a delay with the environment's clock.
  static let make: @Sendable (_ milliseconds: Int, _ limit: Int) -> any SaveDelay = {
    DebouncedSave($0, $1, SharingEnvironment.current.stores.clockForKey)
  }

  package func save(_ save: PendingSave, of value: StoredValue) {
    let (number, isFirst) = lock.withLock {
      if let pending { replaced.append(pending.save.request) }
      pending = (save.replacing(pending?.save), value)
      self.number &+= 1
      defer { first = first ?? self.number }
      return (self.number, first == nil)
    }
    guard save.request.context == .didSet, clock.call(after: milliseconds, { self.flush(number) })
    else { return flush() }
    if isFirst { _ = clock.call(after: limit) { self.flush(first: number) } }
  }

  /// Writes the pending save. Only one thread writes at a time, so that an older value never comes
  /// last. It also writes the saves that other threads add meanwhile.
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
        // A value that another program has stored meanwhile replaces the pending save. If it cannot
        // be shown yet, do not overwrite it either: leave the pending save to the next one.
        if let value, !value.readChanges(), value.hasChanged {
          if stopFlush(keeping: number) { return }
        } else {
          value?.whileWriting { if let taken = take() { write(taken) } }
        }
      } while continueFlush()
    }
  }

  package func abandon(for newer: ItemContents, from origin: ItemContents) -> AbandonedSave? {
    guard let taken = take() else { return nil }
    let loss = loss(of: taken, newer, origin)
    // Answer before the caller reports the loss: a successful save clears `loadError`.
    switch taken.save {
    case .save: answer(taken, nil)  // the value that is shown next is stored
    case .remove: answer(taken, loss)
    }
    return AbandonedSave(loss: loss)
  }

  private func loss(
    of taken: Taken, _ newer: ItemContents, _ origin: ItemContents
  ) -> StorageError? {
    let value = taken.value
    if case .address = value.item.kind { return nil }
    if case .remove = taken.save { return newer == .missing ? nil : value.notRemovedError }
    do throws(StorageError) {
      let mine = try bytes(of: taken)
      if ItemContents(mine) == newer || ItemContents(mine) == origin { return nil }
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

  /// Stops writing and keeps the pending save, unless a later save has replaced it.
  /// - Returns: Whether it has stopped.
  private func stopFlush(keeping number: Int) -> Bool {
    lock.withLock {
      guard number == self.number else { return false }
      isFlushing = false
      first = nil  // the next save has a limit of its own
      return true
    }
  }

  /// Ends the flush unless another save is pending.
  /// - Returns: Whether one is.
  private func continueFlush() -> Bool {
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
    case .save(let value, let request): try taken.value.encoded.encode(value, request).bytes
    case .remove: nil
    }
  }

  private func answer(_ taken: Taken, _ error: StorageError?) {
    for request in taken.replaced { request.answer(error) }
    taken.save.request.answer(error)
  }
}

extension StoredValue {
  /// Returns the error for an unwritten change that another program's value has replaced.
  fileprivate func replacedError(_ mine: [UInt8]?) -> StorageError {
    var place: UTF8Text = "The change could not be kept."
    if let mine {
      do throws(StorageError) {
        place = "The change is kept under \"\(try copy(mine, "replaced"))\"."
      } catch {
        place = "The change could not be kept: \(error.message)"
      }
    }
    return StorageError(
      .replaced, key: name,
      """
      A change that was not written yet has been replaced by a value of another program. \
      \(place)
      """)
  }

  /// The error for a reset that another program's value has replaced, which was not read before.
  fileprivate var notRemovedError: StorageError {
    StorageError(
      .replaced, key: name,
      """
      A reset is dropped: another program has stored a value, which is shown now. Reset the value \
      again to remove it.
      """)
  }

  /// The error for an unwritten change to an item that another program has removed.
  fileprivate var removedError: StorageError {
    StorageError(
      .replaced, key: name,
      "A change that was not written yet is dropped: another program has removed the value.")
  }
}
