import SharingCore

extension StoredValue {
  /// Returns the error for bytes that do not decode. Protects bytes that another release of the
  /// program may decode. Copies damaged ones at once; then they may be overwritten.
  func undecodable(_ reading: KnownContents.Reading, _ error: AnyError) -> StorageError {
    let cause = coding.decodingError(error, of: reading.contents.bytes ?? [])
    if cause.reason.isOfOtherRelease, !item.isAddress {
      let error = StorageError(cause.reason, key: name, cause.advice, ErrorCause(cause))
      lock.withLock { known.protect(reading, error) }
      return error
    }
    lock.withLock {
      known.accept(reading)
      known.corrupt = reading.contents.bytes
    }
    return StorageError(cause.reason, key: name, report(cause.advice), ErrorCause(cause))
  }

  private func report(_ cause: UTF8Text) -> UTF8Text {
    do throws(StorageError) {
      let copy = try quarantineCorrupt() ?? name
      return "A copy is kept under \"\(copy)\". \(cause)"
    } catch let failure {
      return "It could not be copied, so it is not overwritten: \(failure.advice) \(cause)"
    }
  }

  /// Copies corrupt bytes before they are overwritten.
  /// - Returns: The name of the copy; nil if the stored bytes are not corrupt.
  @discardableResult
  func quarantineCorrupt() throws(StorageError) -> KeyName? {
    guard let corrupt = lock.withLock({ known.corrupt }) else { return nil }
    let copy = try copy(corrupt)  // if it throws, nothing is overwritten
    lock.withLock { known.corrupt = nil }
    return copy
  }

  /// Copies bytes to `<key>.corrupt` or, if that has others, to the list `<key>.replaced`.
  /// - Returns: The name of the item.
  private func copy(_ bytes: [UInt8]) throws(StorageError) -> KeyName {
    let copy = name.copy("corrupt")
    let slot = item.store.slot(for: copy)
    let taken = try slot.read().bytes
    if let taken, taken != bytes { return try keep(bytes) }
    if taken == nil { _ = try slot.replace(by: bytes) }
    return copy
  }

  /// Adds bytes to the list `<key>.replaced`.
  /// - Returns: The name of the list.
  func keep(_ bytes: [UInt8]) throws(StorageError) -> KeyName {
    let list = name.copy("replaced")
    let slot = item.store.slot(for: list)
    _ = try slot.replace(by: ReplacedList.adding(bytes, to: try slot.read().bytes ?? []))
    return list
  }
}

extension StorageError.Reason {
  /// Whether another release of the program may decode the bytes.
  package var isOfOtherRelease: Bool {
    switch self {
    case .newerVersion, .notMigrated, .unreadable: true
    default: false
    }
  }
}

extension StorageError {
  /// Returns the error with a key, if it has none yet.
  package func of(_ key: KeyName) -> StorageError {
    self.key == nil ? StorageError(reason, key: key, advice, ErrorCause(self)) : self
  }
}
