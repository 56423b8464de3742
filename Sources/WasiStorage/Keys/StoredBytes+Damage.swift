import SharingCore

extension StoredBytes {
  /// What is said of a value that has no bytes.
  func unencodable(_ error: AnyError) -> StorageError {
    let cause = StorageError.from(error, otherwise: .unencodable)
    return StorageError(cause.reason, key: name, cause.message, ErrorCause(cause))
  }

  /// What is said of bytes that do not decode: they are set aside at once, before anything can
  /// overwrite them.
  func undecodable(_ bytes: [UInt8], _ error: AnyError) -> StorageError {
    let cause = StorageError.from(error, otherwise: .corrupt(offset: 0))
    if cause.reason.isOfWholeBytes { return protect(cause) }
    lock.withLock { damage = bytes }
    return StorageError(cause.reason, key: name, damageReport(cause.message), ErrorCause(cause))
  }

  /// Bytes that another version of the program can read stay where they are: as if they had never
  /// been seen, nothing is written over them.
  private func protect(_ cause: StorageError) -> StorageError {
    let error = StorageError(cause.reason, key: name, cause.message, ErrorCause(cause))
    lock.withLock { noteForeign(error) }
    return error
  }

  private func damageReport(_ cause: UTF8Text) -> UTF8Text {
    do throws(StorageError) {
      let copy = try setDamageAside() ?? name
      return "The stored text is damaged and not shown; it is kept under \"\(copy)\". \(cause)"
    } catch let failure {
      return """
        The stored text is damaged and not shown. It could not be copied and is not overwritten: \
        \(failure.message) \(cause)
        """
    }
  }

  /// Copies damaged bytes before something else is written in their place.
  /// - Returns: Where the copy is; nil when there is no damage.
  @discardableResult
  func setDamageAside() throws(StorageError) -> KeyName? {
    guard let damage = lock.withLock({ damage }) else { return nil }
    // More would fill the store in the end; what is not copied is not overwritten either.
    let copy = try copy(damage, "corrupt", limit: 10)
    lock.withLock { self.damage = nil }
    return copy
  }

  /// Copies bytes to `<key>.corrupt`, say, or to the first of `<key>.corrupt.2`, `.3` … that is
  /// free, unless one of them holds the same bytes.
  /// - Parameter limit: As many copies as there may be.
  /// - Returns: Where the copy is.
  func copy(
    _ bytes: [UInt8], _ suffix: StaticString, limit: Int = .max
  ) throws(StorageError) -> KeyName {
    for number in 1...limit {
      let copy = place(suffix, number)
      let taken = try store.bytes(for: copy)
      if taken == nil { try store.setAside(bytes, of: name, as: copy) }
      if taken == nil || taken == bytes { return copy }
    }
    throw StorageError(
      .quotaExceeded, key: name,
      """
      It has \(limit) copies of damaged text already, \"\(place(suffix, 1))\" to \
      \"\(place(suffix, limit))\". Remove what nobody needs of them.
      """)
  }

  private func place(_ suffix: StaticString, _ number: Int) -> KeyName {
    var place: UTF8Text = "\(name).\(suffix)"
    if number > 1 { place += ".\(number)" }
    return KeyName(bytes: place.bytes)
  }
}

extension StorageError.Reason {
  fileprivate var isOfWholeBytes: Bool {
    switch self {
    case .newerVersion, .notMigrated: true
    default: false
    }
  }
}
