import SharingCore

extension StoredValue {
  package func save(_ value: ValueToSave, _ request: SaveRequest) -> SaveAnswer {
    if let delay { return putOff(.save(value, request), by: delay) }
    return write(.save(value, request))
  }

  package func remove(_ value: ValueToSave, _ request: SaveRequest) -> SaveAnswer {
    encoded.forgetUnknownMembers()
    if let delay { return putOff(.remove(request), by: delay) }
    return write(.remove(request))
  }

  private func putOff(_ save: PendingSave, by delay: any SaveDelay) -> SaveAnswer {
    lock.withLock { known.isAhead = true }
    delay.save(save, of: self)
    return .later
  }

  private func write(_ save: PendingSave) -> SaveAnswer {
    lock.withLock { known.isAhead = true }
    return whileWriting {
      do throws(StorageError) {
        switch save {
        case .save(let value, let request): try write(try encoded.encode(value, request).bytes)
        case .remove: try write(nil)
        }
        return .saved
      } catch {
        return .failed(error)
      }
    }
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
    lock.withLock { known.isAhead = false }
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
