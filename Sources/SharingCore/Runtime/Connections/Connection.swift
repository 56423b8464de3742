/// The connection to the store of a value: one object for all wrappers of a key's id.
///
/// ```
///   withLock ─▶ cell ── freshen, save, remove, load ──▶ connection ──▶ slot of a store
///                ▲                                          │
///                └───────── receive, didChange ─────────────┘
/// ```
/// A connection answers at once with its return value, or keeps the request and answers it later.
/// Its methods run under no lock.
package protocol Connection: AnyObject, Sendable {
  /// The name of the key in messages.
  var label: UTF8Text { get }

  /// Loads the stored value and answers the request once, now or later.
  func load(_ request: LoadRequest)

  /// Reads the store and delivers a newer value through the link.
  /// - Parameter reason: The reason for the read.
  func freshen(_ link: CellLink, _ reason: FreshenReason)

  /// Stores a value.
  /// - Parameter request: The request, to be kept if it is answered later.
  func save(_ value: ValueToSave, _ request: SaveRequest) -> SaveAnswer

  /// Removes the stored value.
  /// - Parameter value: The default, which is the value now.
  func remove(_ value: ValueToSave, _ request: SaveRequest) -> SaveAnswer

  /// Begins to deliver changes by other programs.
  func follow(_ link: CellLink)

  /// Ends ``follow(_:)`` of a link. Does nothing if another link is followed since: on another
  /// thread, a new value may begin before the end of the former one.
  func unfollow(_ link: CellLink)

  /// Records that a turn changes the value. The cell's lock is held.
  func noteChange(in turn: UInt)

  /// Records that the next save stores the changes of the recorded turns. The cell's lock is held.
  func noteCopy()

  /// Forgets the recorded turns: their changes are not saved. The cell's lock is held.
  func dropChanges()

  /// Ends ``load(_:)``, if the connection will not be followed.
  func endLoad()

  /// Whether it keeps updates to run them again on another program's stored value (rule R24).
  var replaysUpdates: Bool { get }
}

extension Connection {
  package var replaysUpdates: Bool { false }

  package func noteChange(in turn: UInt) {}

  package func noteCopy() {}

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

/// The outcome of a save.
package enum SaveAnswer {
  case saved
  case failed(AnyError)
  /// Unknown: the connection keeps the request and answers it later.
  case later

  /// Resumes the continuation of a custom key that is built on the connection's key.
  package func resume(_ continuation: SaveContinuation) {
    switch self {
    case .saved: continuation.resume()
    case .failed(let error): continuation.resume(throwing: error)
    case .later: break
    }
  }
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
