import SharingCore

/// The contents of a slot, as far as its stored value knows them. Guarded by the value's lock.
struct KnownContents {
  /// Contents that were read. They become the last known ones when the value takes them over.
  typealias Reading = (contents: LastKnown, stamp: Int32, version: Int)

  /// The changes that the store has reported during a write of this value.
  enum ReportedChanges {
    case noChange
    /// One change, maybe our own.
    case oneChange
    /// More changes, or the store should have been read.
    case more
  }

  /// The last known contents of the store.
  private(set) var lastKnown = LastKnown.unknown
  /// The contents that the value in memory was made from, while ``lastKnown`` is unknown.
  private var origin = LastKnown.missing
  /// Whether the value in memory has an unwritten change.
  var isAhead = false
  /// The store's stamp of the last known contents; 0 if there is none.
  var stamp: Int32 = 0
  /// The number of times that ``lastKnown`` was set. An earlier reading is out of date.
  private(set) var version = 0
  /// The reason why the stored bytes, which are not corrupt, must not be overwritten.
  private(set) var obstacle: StorageError?
  /// Stored bytes that do not decode and have no copy yet. Nothing may overwrite them.
  var corrupt: [UInt8]?
  /// The changes reported during a write; nil if this value is not being written. During a write,
  /// the store holds our own bytes, old or new.
  private var reported: ReportedChanges?

  mutating func set(_ new: LastKnown, _ stamp: Int32) {
    if case .unknown = lastKnown {} else { origin = lastKnown }
    version += 1
    (lastKnown, self.stamp) = (new, stamp)
    obstacle = nil
    if let corrupt, new != .bytes(corrupt) { self.corrupt = nil }  // the corrupt bytes are gone
  }

  // MARK: Reading

  /// - Returns: The version for the reading; nil during a write, which is followed by a read.
  mutating func beginReading() -> Int? {
    if reported == nil { return version }
    reported = .more
    return nil
  }

  /// The contents that the value in memory was made from, without its own changes.
  var source: LastKnown { lastKnown == .unknown ? origin : lastKnown }

  /// Returns whether a reading differs from the last known contents; nil if these have changed
  /// since the reading, so that the store has to be read again.
  mutating func isNew(_ reading: Reading) -> Bool? {
    if version != reading.version { return nil }
    // After a failed read, unchanged bytes are no reason to drop a local change.
    let known = lastKnown == .unknown && isAhead ? origin : lastKnown
    guard reading.contents == known else { return true }
    set(known, reading.stamp)
    return false
  }

  /// Records a reading that was taken over as last known, unless something else is known since.
  /// - Parameter isShown: Whether the value in memory was decoded from the reading and has no
  ///   change of its own.
  mutating func accept(_ reading: Reading, isShown: Bool) {
    guard reported == nil, version == reading.version else { return }
    if isShown { isAhead = false }
    set(reading.contents, reading.stamp)
  }

  /// Records a reading before a write as last known, if the value in memory was made from it.
  /// - Returns: Whether it was.
  mutating func acceptOrigin(_ reading: Reading) -> Bool {
    guard reading.contents == origin else { return false }
    set(reading.contents, reading.stamp)
    return true
  }

  /// Forgets the last known contents: the store could not be read.
  mutating func forget() {
    if lastKnown != .unknown { (origin, lastKnown) = (lastKnown, .unknown) }
    stamp = 0
  }

  /// Keeps the value in memory, which was not made from the stored bytes, from overwriting them.
  mutating func protect(_ obstacle: StorageError) {
    (lastKnown, stamp) = (.unknown, 0)
    self.obstacle = obstacle
  }

  // MARK: Writing

  mutating func beginWriting() { reported = .noChange }

  /// Records that the store has reported a change.
  /// - Returns: Whether it may be this value's own write.
  mutating func isEcho() -> Bool {
    guard let reported else { return false }
    if case .noChange = reported { self.reported = .oneChange } else { self.reported = .more }
    return true
  }

  /// - Returns: The reported changes. The stamp shows whether a single change is our own; without a
  ///   stamp, it counts as our own.
  mutating func endWriting() -> ReportedChanges {
    var reported: ReportedChanges?
    swap(&reported, &self.reported)
    if case .oneChange = reported, stamp == 0 { return .noChange }
    return reported ?? .noChange
  }
}
