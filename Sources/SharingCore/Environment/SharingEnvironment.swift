/// Sets up the environment of wrappers, at the program's entry, before you create any.
///
/// ```swift
/// prepareSharing {
///   $0.stores.local = FileStore(folder: "state")
///   $0.onIssue = { log.error("\($0)") }
/// }
/// ```
/// In a test with its own environment, it sets up that one. After the first wrapper with a key, it
/// is too late: that wrapper would share through another setup than later ones. Then an issue is
/// reported and nothing is set up.
/// - Parameter prepare: Receives the ``SharingEnvironment/current`` environment.
/// - Throws: The error of the closure.
public func prepareSharing<Failure: Error>(
  fileID: StaticString = #fileID, line: UInt = #line,
  _ prepare: (SharingEnvironment) throws(Failure) -> Void
) throws(Failure) {
  let environment = SharingEnvironment.current
  guard environment.references.isUnused else {
    return environment.onIssue(
      SharingIssue(
        """
        The environment is in use, so nothing was set up: a wrapper with a key was made before. \
        Call prepareSharing first, at the program's entry.
        """, at: CallSite(fileID: fileID, line: line)))
  }
  try prepare(environment)
}

/// The common state of wrappers: the references of keys, the values in memory, the objects of other
/// modules (stores), and the receiver of issues.
///
/// A program has one. A test makes its own, so nothing leaks into the next test:
///
/// ```swift
/// SharingEnvironment().run {
///   @Shared(.inMemory("count")) var count = 0  // shared only inside this closure
/// }
/// ```
/// If the module SharingTesting is linked, each test of Swift Testing and XCTest has its own. The
/// program's is set up with ``prepareSharing(fileID:line:_:)``.
public final class SharingEnvironment: @unchecked Sendable {
  /// Receives each issue: misuse that the program survives, such as an observer that never settles.
  ///
  /// Set it at the program's entry, before other threads use the environment: see
  /// ``prepareSharing(fileID:line:_:)``. The default writes each issue to standard error.
  public var onIssue: @Sendable (_ issue: SharingIssue) -> Void = { writeMessage($0.text) }

  /// Makes the tracker of each value from then on, for a framework that tracks what is read: see
  /// ``ReadTracker``. Nil, as it is by default, makes none.
  ///
  /// Set it once, before the first value is made. An issue is reported if a wrapper with a key was
  /// made before.
  public var makeReadTracker: (@Sendable () -> ReadTracker)? {
    didSet { if makeReadTracker != nil, !references.isUnused { reportLateTracker() } }
  }

  let references = ReferenceTable()
  private let lock = Lock()
  /// The objects of other modules, one of each class. Guarded by the lock.
  private var objects: [AnyObject] = []

  /// Creates an environment without keys.
  public init() {}

  /// The environment that new wrappers use: the innermost `run`'s, or else that of the test that is
  /// running, or else the program's.
  public static var current: SharingEnvironment { scoped ?? program }

  /// The program's own.
  static let program = SharingEnvironment()

  private func reportLateTracker() {
    onIssue(
      SharingIssue(
        """
        'makeReadTracker' is set after a wrapper with a key was made. Views do not notice the \
        changes of its value. Set it first, at the program's entry.
        """))
  }

  /// Runs an operation with this environment as ``current``.
  ///
  /// Natively, the environment is a task-local value: child tasks inherit it, other threads do not.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation.
  public func run<Output, Failure: Error>(
    _ operation: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    var outcome: Result<Output, Failure>?
    Self.with(self) { outcome = Result(catching: operation) }
    return try outcome!.get()
  }

  /// Returns the environment's object of a class, such as a connection that your keys share.
  ///
  /// ```swift
  /// let server = SharingEnvironment.current.object { Server() }
  /// ```
  /// - Parameter make: Makes the object at first use. The class is `final`: an object of a subclass
  ///   would be found as well.
  public func object<Object: AnyObject>(_ make: () -> Object) -> Object {
    if let known: Object = lock.withLock({ known() }) { return known }
    let made = make()  // without the lock
    return lock.withLock {
      // Another thread may have made one meanwhile.
      if let known: Object = known() { return known }
      objects.append(made)
      return made
    }
  }

  /// The lock is held.
  private func known<Object: AnyObject>() -> Object? {
    for object in objects {
      if let known = object as? Object { return known }
    }
    return nil
  }
}
