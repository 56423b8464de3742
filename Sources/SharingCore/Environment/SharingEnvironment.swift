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

  /// Reports misuse that the program survives.
  func report(_ issue: SharingIssue) {
    onIssue(issue)
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
