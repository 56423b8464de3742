import SharingCore

extension StoredValue {
  package func save(_ value: ValueToSave, _ receiver: Receiver) {
    receiver.answer(write { () throws(StorageError) in try encoded.encode(value, receiver).bytes })
  }

  package func remove(_ value: ValueToSave, _ receiver: Receiver) {
    encoded.forgetUnknownMembers()
    receiver.answer(
      write { () throws(StorageError) in
        if lock.withLock({ known.obstacle != nil }) { try removeProtected() }
        return nil
      })
  }

  /// Removes bytes that only a reset may replace, after a copy.
  private func removeProtected() throws(StorageError) {
    if let bytes = try slot.read().bytes { _ = try keep(bytes) }
    let stamp = try slot.replace(by: nil)
    lock.withLock { known.set(.missing, stamp) }
  }

  /// Writes bytes. A change that the store reports meanwhile is our own, or the store is read
  /// afterwards.
  @inline(never)
  private func write(_ makeBytes: () throws(StorageError) -> [UInt8]?) -> StorageError? {
    lock.withLock { known.beginWriting() }
    var failure: StorageError?
    do throws(StorageError) { try write(try makeBytes()) } catch { failure = error }
    switch lock.withLock({ known.endWriting() }) {
    case .noChange: break
    case .oneChange: if !isStampLastKnown { readChanges() }
    case .more: readChanges()
    }
    return failure
  }

  /// Writes bytes, or removes the item if they are nil, unless they are last known already. Records
  /// them as last known before the write: a store may report it at once, and our own write must not
  /// count as a newer value.
  func write(_ bytes: [UInt8]?) throws(StorageError) {
    let new = ItemContents(bytes)
    let (contents, isCorrupt) = lock.withLock { (known.contents, known.corrupt != nil) }
    let former = if let contents { contents } else { try readOrigin() }
    if former != new {
      if isCorrupt { try quarantineCorrupt() }
      lock.withLock { known.set(new, 0) }
      do throws(StorageError) {
        let stamp = try slot.replace(by: bytes)
        lock.withLock { known.set(new, stamp) }
        encoded.noteWritten(bytes)
      } catch {
        lock.withLock { known.set(former, 0) }
        throw error
      }
    }
  }

  /// Reads contents that are not known, and checks that the value in memory was made from them. A
  /// newer value must not be lost, and a removed one must not come back.
  private func readOrigin() throws(StorageError) -> ItemContents {
    let now = try read(0)
    guard lock.withLock({ known.acceptOrigin(now) }) else {
      throw lock.withLock { known.obstacle } ?? unreadBefore
    }
    return now.contents
  }

  private var unreadBefore: StorageError {
    StorageError(
      .other, key: name,
      """
      The store holds a value that could not be read before, and it is not overwritten. Change \
      the value again: the stored value is loaded first.
      """)
  }
}

// MARK: Lost changes

extension StoredValue {
  /// Keeps a change under `<key>.replaced`. A change that waited for its pause is not lost if its
  /// bytes equal the stored ones, or the former ones.
  package func loss(
    of value: ValueToSave, _ loss: PersistenceMachine.Loss, for receiver: Receiver, isRemoved: Bool
  ) -> AnyError? {
    if item.isAddress { return nil }  // the visitor's address wins
    if loss == .reset { return notRemoved }
    let (newer, origin) = lock.withLock { (arriving, known.origin) }
    do throws(StorageError) {
      let mine = ItemContents(try encoded.encode(value, receiver).bytes)
      if loss == .waiting, mine == newer || mine == origin { return nil }
      if isRemoved { return removed }
      guard case .bytes(let bytes) = mine else { return notRemoved }
      return replaced("It is kept under \"\(try keep(bytes))\".")
    } catch {
      return replaced("It could not be kept: \(error.advice)")
    }
  }

  private func replaced(_ advice: UTF8Text) -> StorageError {
    StorageError(.replaced, key: name, advice)
  }

  private var removed: StorageError {
    replaced("Another program has removed the value, so the default is shown.")
  }

  private var notRemoved: StorageError {
    replaced("Another program has stored a value. Reset it again to remove it.")
  }
}
