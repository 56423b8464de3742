/// Links a value to where it is stored: one object for all wrappers of a key's id.
///
/// ```
///   withLock ─▶ cell ── freshen, save, remove, load ──▶ connection ──▶ slot of a store
///                ▲                                          │
///                └───────── receive, didChange ─────────────┘
/// ```
/// A connection that can answer at once does so with what it returns; one that cannot keeps the
/// request and answers it later. No lock is held while its methods run.
package protocol Connection: AnyObject, Sendable {
  /// What messages call the key.
  var label: UTF8Text { get }

  /// Fetches what is stored, and answers the request once, now or later.
  func load(_ request: LoadRequest)

  /// Looks at the store, and hands over what is new there.
  /// - Parameter reason: Why it is asked to.
  func freshen(_ link: CellLink, _ reason: FreshenReason)

  /// Stores the value of the request.
  func save(_ request: SaveRequest) -> SaveAnswer

  /// Removes what is stored; the value of the request is the default now.
  func remove(_ request: SaveRequest) -> SaveAnswer

  /// Begins to tell of changes from outside.
  func follow(_ link: CellLink)

  /// Ends what ``follow(_:)`` has begun.
  func unfollow()

  /// Ends what ``load(_:)`` has begun, where nobody is going to follow.
  func endLoad()

  /// Whether it keeps changes to make them again on what another program has stored (rule R24).
  var replaysUpdates: Bool { get }

  /// How it writes the value.
  var form: _StoredForm { get }
}

extension Connection {
  package var form: _StoredForm { .own }

  package var replaysUpdates: Bool { false }

  package func endLoad() {}
}

/// Why a connection looks at its store.
package enum FreshenReason {
  /// The value is about to be changed: the store has told of nothing.
  case change
  /// It is about to be changed by a closure that may run again.
  case update
  /// The store has told of a change.
  case event

  var isEvent: Bool {
    if case .event = self { true } else { false }
  }
}

/// The form in which a key writes its value. Keys with equal ids and different forms do not share
/// it.
public enum _StoredForm: Equatable, Sendable {
  /// In a form without a name.
  case own
  /// As JSON of a version.
  case json(version: Int)
  /// As plain text.
  case plainText
}

/// How a save went.
package enum SaveAnswer {
  case saved
  case failed(AnyError)
  /// The request is kept, and answered when it is known.
  case later
}

/// What a key's connection is, if it has one; made by ``SharedReaderKey/_makeConnection()``.
public struct _SharedConnection {
  let connection: (any Connection)?
  /// Whether it can store the value at all.
  let canSave: Bool

  package init(_ connection: any Connection) {
    (self.connection, canSave) = (connection, true)
  }

  /// That of a key which can only be read.
  package init(reading connection: any Connection) {
    (self.connection, canSave) = (connection, false)
  }

  private init() {
    (connection, canSave) = (nil, false)
  }

  /// None: the value lives in memory, for as long as its ``SharingEnvironment``.
  static var none: _SharedConnection { _SharedConnection() }
}
