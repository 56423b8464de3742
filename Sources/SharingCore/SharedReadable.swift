/// The reading features of ``Shared`` and ``SharedReader``.
///
/// Generic code can accept either. Do not conform other types.
public protocol SharedReadable<Value> {
  /// The type of the shared value.
  associatedtype Value

  /// The value.
  var wrappedValue: Value { get }

  /// A reader of the same value.
  var reader: SharedReader<Value> { get }
}

extension Shared: SharedReadable {
  /// A reader of the same value. If this wrapper is pointed elsewhere, the reader follows.
  public var reader: SharedReader<Value> { SharedReader(following: handle) }
}

extension SharedReader: SharedReadable {
  /// The reader itself.
  public var reader: SharedReader<Value> { self }
}

extension SharedReadable {
  /// Returns the value, like ``wrappedValue``: the short way to read a part.
  ///
  /// ```swift
  /// observe { show($settings.fontSize()) }  // runs again only for the font size
  /// ```
  /// With `settings.fontSize`, the closure reads all of the settings and runs again for every
  /// change of them.
  @inlinable
  public func callAsFunction() -> Value { wrappedValue }

  /// Whether the key is loading the value; observable.
  public var isLoading: Bool { cell.persistence?.status.loading.wrappedValue ?? false }

  /// The error of the last load or update, nil after one succeeds; observable.
  public var loadError: AnyError? { cell.persistence?.status.loadFailure.wrappedValue ?? nil }

  /// Loads the value from the key again.
  ///
  /// ```swift
  /// $count.load { result in … }
  /// ```
  /// - Parameter completion: Called once, when the key answers, with its error if it failed. For a
  ///   value without a key, it is called at once.
  public func load(
    _ completion: @escaping @Sendable (Result<Void, AnyError>) -> Void = { _ in }
  ) {
    reader.handle.resolved.target.cell.load(completion)
  }

  /// Returns a reader of a value that is computed from this one.
  ///
  /// ```swift
  /// let open = $todos.read { todos in todos.filter { !$0.isCompleted }.count }
  /// ```
  /// Its observers run again after every change of this value. Each read calls the closure, on the
  /// reading thread.
  public func read<Output>(_ compute: @escaping (Value) -> Output) -> SharedReader<Output> {
    SharedReader<Output>(ComputedReference(of: reader.handle.reference, compute))
  }

  /// Returns a reader of a value that is computed from this one; its observers run again only if
  /// the result changes.
  public func read<Output: Equatable>(
    _ compute: @escaping (Value) -> Output
  ) -> SharedReader<Output> {
    SharedReader<Output>(ComputedReference(of: reader.handle.reference, areEqual: ==, compute))
  }

  /// The error of the last save, through any wrapper of the value; observable.
  package var lastSaveError: AnyError? {
    cell.persistence?.status.saveFailure.wrappedValue ?? nil
  }

  private var cell: Cell { reader.handle.reference.cell }
}

extension SharedReadable where Value: Equatable {
  /// Returns whether the values are equal; the two may be shared separately.
  public static func == (left: Self, right: Self) -> Bool {
    left.wrappedValue == right.wrappedValue
  }
}

extension Shared {
  /// The error of the last save, nil after one succeeds; observable.
  public var saveError: AnyError? {
    handle.reference.cell.persistence?.status.saveFailure.wrappedValue ?? nil
  }

  /// Whether a change is not stored yet, which includes a save that the key has not answered.
  /// Observable.
  ///
  /// ```swift
  /// page.observe { page.set("pending", $tally.isSaving ? "saving" : "") }
  /// ```
  public var isSaving: Bool {
    handle.reference.cell.persistence?.status.saving.wrappedValue ?? false
  }

  /// Stores the value now.
  ///
  /// ```swift
  /// $draft.save { result in … }
  /// ```
  /// Under a key that loses no change, such as `.indexedDB`, the answer comes after each
  /// ``batch(_:)`` that has changed the value, also on another thread. Do not wait for it in a
  /// batch.
  /// - Parameter completion: Called once, when the key answers, with its error if it failed. For a
  ///   value without a key, it is called at once.
  public func save(
    _ completion: @escaping @Sendable (Result<Void, AnyError>) -> Void = { _ in }
  ) {
    let cell: Cell = handle.resolved.target.cell
    batch { cell.saveNow(completion) }
  }

  /// Sets the value to the default and removes the stored value, now.
  ///
  /// ```swift
  /// $settings.reset()  // back to the default
  /// ```
  /// Other wrappers of the key, and other programs over the same store, return to their defaults
  /// too. A key that cannot remove stores the default. A value without a key stays unchanged. So
  /// does a part of a value, and an issue is reported.
  /// - Parameter completion: Called once, when the key answers, with its error if it failed.
  public func reset(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ completion: @escaping @Sendable (Result<Void, AnyError>) -> Void = { _ in }
  ) {
    let site = CallSite(fileID: fileID, line: line)
    let target = handle.resolved.target
    let cell: Cell = target.cell
    guard target === cell else {
      reportPartialReset(at: site)
      return completion(.success(()))
    }
    batch { cell.reset(at: site, in: .current, completion) }
  }
}

private func reportPartialReset(at site: CallSite) {
  SharingEnvironment.current.onIssue(
    SharingIssue(
      """
      A part of a value has no default of its own, so nothing is reset. Reset the whole value, or \
      change the part.
      """, at: site))
}
