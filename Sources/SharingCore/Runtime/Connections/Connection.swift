/// The connection to the store of a value: one object for all wrappers of a key's id.
///
/// ```
///   withLock ─▶ cell ── freshen, save, remove, load ──▶ connection ──▶ slot of a store
///                ▲                                          │
///                └───────── receive, didChange ─────────────┘
/// ```
/// A connection answers each request once, before its method returns or later, by a call of the
/// request's receiver. Its methods run under no lock.
package protocol Connection: AnyObject, Sendable {
  /// The name of the key in messages.
  var label: UTF8Text { get }

  /// The properties that decide when the value is read and saved. They never change.
  var rules: PersistenceMachine.Rules { get }

  /// Loads the stored value.
  /// - Parameter isFirst: Whether this is the first load of the value, not a request by the
  ///   program.
  func load(_ receiver: Receiver, isFirst: Bool)

  /// Reads the store and delivers a newer value.
  /// - Parameter reason: The reason for the read.
  func freshen(_ receiver: Receiver, _ reason: FreshenReason)

  /// Stores a value.
  func save(_ value: ValueToSave, _ receiver: Receiver)

  /// Removes the stored value.
  /// - Parameter value: The default, which is the value now.
  func remove(_ value: ValueToSave, _ receiver: Receiver)

  /// Begins to deliver changes by other programs.
  func follow(_ receiver: Receiver)

  /// Ends ``follow(_:)`` of a receiver. Does nothing if another one is followed since: on another
  /// thread, a new value may begin before the end of the former one.
  func unfollow(_ receiver: Receiver)

  /// Starts a timer for a changed value, if the ``rules`` have a pause.
  /// - Parameters:
  ///   - isLongest: Whether this is the longest pause, from the first change.
  ///   - done: Called once, on any thread, when the pause ends.
  /// - Returns: Whether it will be called; false on a host without timers.
  func startPause(isLongest: Bool, _ done: @escaping @Sendable () -> Void) -> Bool

  /// Keeps a copy of a change that a stored value has just replaced.
  /// - Parameters:
  ///   - value: The value with the change.
  ///   - loss: The kind of change.
  ///   - receiver: The value in memory.
  ///   - isRemoved: Whether the stored value was removed.
  /// - Returns: The error to report; nil if nothing is lost.
  func loss(
    of value: ValueToSave, _ loss: PersistenceMachine.Loss, for receiver: Receiver, isRemoved: Bool
  ) -> AnyError?

  /// Records that a turn changes the value. The cell's lock is held.
  func recordChange(in turn: UInt)

  /// Records that the next save stores the changes of the recorded turns. The cell's lock is held.
  func recordCopy()

  /// Forgets the recorded turns: their changes are not saved. The cell's lock is held.
  func dropChanges()

  /// Ends ``load(_:isFirst:)``, if the connection will not be followed.
  func endLoad()

}

extension Connection {
  package var rules: PersistenceMachine.Rules { PersistenceMachine.Rules() }

  package func startPause(isLongest: Bool, _ done: @escaping @Sendable () -> Void) -> Bool { false }

  package func loss(
    of value: ValueToSave, _ loss: PersistenceMachine.Loss, for receiver: Receiver, isRemoved: Bool
  ) -> AnyError? {
    let event: UTF8Text =
      isRemoved
      ? "The stored value has been removed, so the default is shown."
      : "The stored value is one that this program had not read."
    return StorageError(.replaced, key: nil, event)
  }

  package func recordChange(in turn: UInt) {}

  package func recordCopy() {}

  package func dropChanges() {}

  package func endLoad() {}
}

/// The reason for a read of the store.
package enum FreshenReason {
  /// A change is about to begin; the store reported nothing.
  case change
  /// A change by a closure that may run again is about to begin.
  case update
  /// The store reported a change.
  case event
}

/// The connection of a key, if it has one; made by ``SharedReaderKey/_makeConnection()``.
public struct _SharedConnection {
  let connection: (any Connection)?
  /// Whether it can store the value.
  let canSave: Bool

  package init(_ connection: any Connection) {
    (self.connection, canSave) = (connection, true)
  }

  /// Wraps the connection of a read-only key.
  package init(reading connection: any Connection) {
    (self.connection, canSave) = (connection, false)
  }

  private init() {
    (connection, canSave) = (nil, false)
  }

  /// No connection: the value is in memory, for as long as its ``SharingEnvironment`` exists.
  static var none: _SharedConnection { _SharedConnection() }
}
