/// What ``Shared`` and ``SharedReader`` have in common: all that reads, and nothing that writes.
///
/// Generic code may take either; there is no reason to conform another type.
public protocol SharedReadable<Value> {
  /// The type of the shared value.
  associatedtype Value

  /// The value.
  var wrappedValue: Value { get }

  /// A reader of the same value.
  var reader: SharedReader<Value> { get }
}

extension Shared: SharedReadable {
  /// A reader of the same value; it follows when this wrapper is pointed elsewhere.
  public var reader: SharedReader<Value> { SharedReader(following: handle) }
}

extension SharedReader: SharedReadable {
  /// The reader itself.
  public var reader: SharedReader<Value> { self }
}

extension SharedReadable {
  /// The value, as ``wrappedValue``: the short way to read a part.
  ///
  /// ```swift
  /// observe { show($settings.fontSize()) }  // runs again only for the font size
  /// ```
  /// `settings.fontSize` in the closure reads all of the settings, and it runs again for every
  /// change of them.
  @inlinable
  public func callAsFunction() -> Value { wrappedValue }

  /// Whether the key is loading the value; observable.
  public var isLoading: Bool { cell.persistence?.status.loading.wrappedValue ?? false }

  /// Why the value could not be loaded, until a load or an update succeeds; observable.
  public var loadError: AnyError? { cell.persistence?.status.loadFailure.wrappedValue ?? nil }

  /// Asks the key for its value anew.
  ///
  /// ```swift
  /// $count.load { result in … }
  /// ```
  /// - Parameter completion: Called once, when the key has answered, with the error if there was
  ///   one; at once for a value without a key.
  public func load(
    _ completion: @escaping @Sendable (Result<Void, AnyError>) -> Void = { _ in }
  ) {
    reader.handle.located.target.cell.load(completion)
  }

  /// A value that is computed from this one, to be read.
  ///
  /// ```swift
  /// let open = $todos.read { todos in todos.filter { !$0.isCompleted }.count }
  /// ```
  /// Its observers run again after every change of this value. The closure is called for every
  /// read, on the thread that reads.
  public func read<Output>(_ compute: @escaping (Value) -> Output) -> SharedReader<Output> {
    SharedReader<Output>(ComputedReference(of: reader.handle.reference, compute))
  }

  /// A value that is computed from this one, to be read, whose observers run again only when the
  /// result has changed.
  public func read<Output: Equatable>(
    _ compute: @escaping (Value) -> Output
  ) -> SharedReader<Output> {
    SharedReader<Output>(ComputedReference(of: reader.handle.reference, areEqual: ==, compute))
  }

  private var cell: Cell { reader.handle.reference.cell }
}

extension Shared {
  /// Why the value could not be saved, until a save succeeds; observable.
  public var saveError: AnyError? {
    handle.reference.cell.persistence?.status.saveFailure.wrappedValue ?? nil
  }

  /// Whether anything is not stored yet: a key that answers later has not answered. Observable.
  ///
  /// ```swift
  /// page.observe { page.set("pending", $tally.isSaving ? "saving" : "") }
  /// ```
  public var isSaving: Bool {
    handle.reference.cell.persistence?.status.saving.wrappedValue ?? false
  }

  /// Has the key store the value now.
  ///
  /// ```swift
  /// $draft.save { result in … }
  /// ```
  /// - Parameter completion: Called once, when the key has answered, with the error if there was
  ///   one; at once for a value without a key.
  public func save(
    _ completion: @escaping @Sendable (Result<Void, AnyError>) -> Void = { _ in }
  ) {
    let cell: Cell = handle.located.target.cell
    batch { cell.saveNow(completion) }
  }

  /// Goes back to the default, and has the key remove what is stored, now.
  ///
  /// ```swift
  /// $settings.reset()  // as if nobody had ever changed it
  /// ```
  /// Other wrappers of the key, and other programs over the same store, go back to their defaults.
  /// A key that cannot remove stores the default. For a value without a key, and for a part of a
  /// value, this does nothing; the latter is reported.
  /// - Parameter completion: Called once, when the key has answered, with the error if there was
  ///   one.
  public func reset(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ completion: @escaping @Sendable (Result<Void, AnyError>) -> Void = { _ in }
  ) {
    let site = CallSite(fileID: fileID, line: line)
    let target = handle.located.target
    let cell: Cell = target.cell
    guard target === cell else {
      reportPartialReset(at: site)
      return completion(.success(()))
    }
    batch { cell.reset(at: site, in: .current, completion) }
  }
}

private func reportPartialReset(at site: CallSite) {
  SharingEnvironment.current.report(
    SharingIssue(
      """
      A part of a value has no default of its own, so nothing is reset. Reset the whole value, or \
      change the part.
      """, at: site))
}
