import SharingCore

extension StoredValue {
  /// Returns the error for bytes that do not decode. Protects bytes that another release of the
  /// program may decode. Copies damaged ones at once; then they may be overwritten.
  func undecodable(_ reading: KnownContents.Reading, _ error: AnyError) -> StorageError {
    let cause = coding.decodingError(error, of: reading.contents.bytes ?? [])
    if cause.reason.isOfOtherRelease, !item.isAddress {
      let error = StorageError(cause.reason, key: name, cause.message, ErrorCause(cause))
      lock.withLock { known.protect(reading, error) }
      return error
    }
    lock.withLock {
      known.accept(reading)
      known.corrupt = reading.contents.bytes
    }
    return StorageError(cause.reason, key: name, report(cause.message), ErrorCause(cause))
  }

  private func report(_ cause: UTF8Text) -> UTF8Text {
    do throws(StorageError) {
      let copy = try quarantineCorrupt() ?? name
      return "The stored text is damaged and not shown; it is kept under \"\(copy)\". \(cause)"
    } catch let failure {
      return """
        The stored text is damaged and not shown. It could not be copied and is not overwritten: \
        \(failure.message) \(cause)
        """
    }
  }

  /// Copies corrupt bytes before they are overwritten.
  /// - Returns: The name of the copy; nil if the stored bytes are not corrupt.
  @discardableResult
  func quarantineCorrupt() throws(StorageError) -> KeyName? {
    guard let corrupt = lock.withLock({ known.corrupt }) else { return nil }
    let copy = try copy(corrupt, "corrupt")  // if it throws, nothing is overwritten
    lock.withLock { known.corrupt = nil }
    return copy
  }

  /// Copies bytes to a name such as `<key>.corrupt` or, if that is taken, to the first free one of
  /// `<key>.corrupt.2` … `.10`, unless a copy has the same bytes. The limit keeps copies from
  /// filling the store.
  /// - Returns: The name of the copy.
  func copy(_ bytes: [UInt8], _ suffix: StaticString) throws(StorageError) -> KeyName {
    for number in 1...10 {
      let copy = place(suffix, number)
      let slot = item.store.slot(for: copy)
      let taken = try slot.read().bytes
      if taken == nil { _ = try slot.replace(by: bytes) }
      if taken == nil || taken == bytes { return copy }
    }
    throw StorageError(
      .quotaExceeded, key: name,
      """
      The key has 10 copies already, "\(place(suffix, 1))" to "\(place(suffix, 10))". Remove those \
      that are not needed.
      """)
  }

  private func place(_ suffix: StaticString, _ number: Int) -> KeyName {
    var place: UTF8Text = "\(name).\(suffix)"
    if number > 1 { place += ".\(number)" }
    return KeyName(bytes: place.bytes)
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
    self.key == nil ? StorageError(reason, key: key, message, ErrorCause(self)) : self
  }
}
