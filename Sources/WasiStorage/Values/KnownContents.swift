import SharingCore

/// What a stored value knows of the contents of its slot. The value's lock guards it.
struct KnownContents {
  /// What was read, to become last known once it is taken over: until then it is new to everybody.
  typealias Reading = (contents: LastKnown, stamp: Int32, version: Int)

  /// What the store has told while this value is being written.
  enum Heard {
    case nothing
    /// A change, which may be our own.
    case change
    /// Another one, or somebody wanted to look at the store.
    case more
  }

  /// What the store holds, as far as is known.
  private(set) var lastKnown = LastKnown.unknown
  /// What the value in memory comes from, while ``lastKnown`` is unknown.
  private var origin = LastKnown.missing
  /// Whether the value in memory has a change that is not written.
  var isAhead = false
  /// The store's stamp of what is last known; 0 where there is none.
  var stamp: Int32 = 0
  /// How often ``lastKnown`` was set: what was read before is out of date.
  private(set) var version = 0
  /// Why the stored bytes, which are whole, must not be overwritten.
  private(set) var obstacle: StorageError?
  /// Stored bytes that do not decode and have no copy yet: nothing may overwrite them.
  var corrupt: [UInt8]?
  /// Nil unless this value is being written: what the store holds then is our own, old or new.
  private var heard: Heard?

  mutating func set(_ new: LastKnown, _ stamp: Int32) {
    if case .unknown = lastKnown {} else { origin = lastKnown }
    version += 1
    (lastKnown, self.stamp) = (new, stamp)
    obstacle = nil
    if let corrupt, new != .bytes(corrupt) { self.corrupt = nil }  // somebody has mended it
  }

  // MARK: Reading

  /// - Returns: The version to read; nil while this value is being written, which looks afterwards.
  mutating func beginReading() -> Int? {
    if heard == nil { return version }
    heard = .more
    return nil
  }

  /// What the value in memory comes from, but for its own changes.
  var source: LastKnown { lastKnown == .unknown ? origin : lastKnown }

  /// Whether what was read is something else than is last known.
  /// - Returns: Nil when something became last known since, so that it has to be read again.
  mutating func isNew(_ reading: Reading) -> Bool? {
    if version != reading.version { return nil }
    // After a read that failed, the same as before it is nothing over which to lose a change.
    let known = lastKnown == .unknown && isAhead ? origin : lastKnown
    guard reading.contents == known else { return true }
    set(known, reading.stamp)
    return false
  }

  /// Makes last known what was read and taken over, unless something else has been since.
  /// - Parameter isShown: Whether the value in memory is that of the bytes, with no change of its
  ///   own.
  mutating func accept(_ reading: Reading, isShown: Bool) {
    guard heard == nil, version == reading.version else { return }
    if isShown { isAhead = false }
    set(reading.contents, reading.stamp)
  }

  /// Makes last known what was read before a write, if the value in memory comes from that.
  mutating func acceptOrigin(_ reading: Reading) -> Bool {
    guard reading.contents == origin else { return false }
    set(reading.contents, reading.stamp)
    return true
  }

  /// The store could not be read.
  mutating func forget() {
    if lastKnown != .unknown { (origin, lastKnown) = (lastKnown, .unknown) }
    stamp = 0
  }

  /// The bytes that are stored are not those of the value in memory, and nothing is written over
  /// them.
  mutating func protect(_ obstacle: StorageError) {
    (lastKnown, stamp) = (.unknown, 0)
    self.obstacle = obstacle
  }

  // MARK: Writing

  mutating func beginWriting() { heard = .nothing }

  /// The store tells of a change.
  /// - Returns: Whether it may be that of this value, which is being written.
  mutating func isEcho() -> Bool {
    guard let heard else { return false }
    if case .nothing = heard { self.heard = .change } else { self.heard = .more }
    return true
  }

  /// - Returns: What the store has told. Of a change that may be our own, its stamp tells whether
  ///   it is; where there is none, it is.
  mutating func endWriting() -> Heard {
    var heard: Heard?
    swap(&heard, &self.heard)
    if case .change = heard, stamp == 0 { return .nothing }
    return heard ?? .nothing
  }
}
