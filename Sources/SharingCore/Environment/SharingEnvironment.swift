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
  /// Set it once, before the first value is made.
  public var makeReadTracker: (@Sendable () -> ReadTracker)?

  let references = ReferenceTable()
  private let lock = Lock()
  /// A linked list: there are only a few, and a dictionary costs more code than it saves time.
  private var members: Member?

  private final class Member {
    let slot: SlotID
    let object: AnyObject
    let next: Member?

    init(_ slot: SlotID, _ object: AnyObject, next: Member?) {
      self.slot = slot
      self.object = object
      self.next = next
    }
  }

  /// Creates an environment without keys.
  public init() {}

  /// The environment that new wrappers use: the innermost `run`'s, or else that of the test that is
  /// running, or else the program's.
  public static var current: SharingEnvironment { scoped ?? program }

  /// The program's own.
  static let program = SharingEnvironment()

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

  /// The environment's object for `slot`, made at first use.
  ///
  /// ```swift
  /// static let localStore = SharingEnvironmentSlot<MemoryStore> { MemoryStore() }
  /// let store = SharingEnvironment.current[localStore]
  /// ```
  public subscript<Member: AnyObject>(slot: SharingEnvironmentSlot<Member>) -> Member {
    lock.withLock { known(slot) } ?? insert(slot.make(), slot)
  }

  /// Call it with the lock held.
  private func known<Kept: AnyObject>(_ slot: SharingEnvironmentSlot<Kept>) -> Kept? {
    var next = members
    while let member = next {
      if member.slot == slot.id, let kept = member.object as? Kept { return kept }
      next = member.next
    }
    return nil
  }

  /// - Returns: The slot's object, from another thread if that inserted one meanwhile.
  private func insert<Kept: AnyObject>(
    _ made: Kept, _ slot: SharingEnvironmentSlot<Kept>
  ) -> Kept {
    lock.withLock {
      if let known = known(slot) { return known }
      members = Member(slot.id, made, next: members)
      return made
    }
  }
}

/// The key of another module's object in a ``SharingEnvironment``, such as a default store.
///
/// Declare it once, as a static constant. Slots are equal if they have the same declaration (file,
/// line and column) and type of object.
///
/// ```swift
/// static let localStore = SharingEnvironmentSlot<MemoryStore> { MemoryStore() }
/// ```
/// The address of a static object cannot identify a slot: in WebAssembly, each module of a program
/// may have its own copy.
public struct SharingEnvironmentSlot<Member: AnyObject>: Sendable {
  let id: SlotID
  let make: @Sendable () -> Member

  /// Creates a slot with the identity of its declaration.
  /// - Parameters:
  ///   - column: The column of the declaration.
  ///   - make: Makes the object at first use in each environment.
  public init(
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    _ make: @escaping @Sendable () -> Member
  ) {
    id = SlotID(fileID: fileID, line: line, column: column)
    self.make = make
  }
}

/// The declaration of a slot.
struct SlotID: Equatable, Sendable {
  let fileID: StaticString
  let line: UInt
  let column: UInt

  /// Returns whether both are one declaration. Compares the texts: a module may have its own copy.
  static func == (left: SlotID, right: SlotID) -> Bool {
    left.line == right.line && left.column == right.column
      && UTF8Text(stringLiteral: left.fileID) == UTF8Text(stringLiteral: right.fileID)
  }
}
