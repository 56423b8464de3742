import SharingCore
import SharingJSON

/// The last known contents of a slot. Guarded by the lock of its stored value.
struct KnownContents {
  /// Contents that were read. They become the last known ones when the value takes them over.
  typealias Reading = (contents: ItemContents, stamp: Int32, version: Int)

  private enum State {
    /// The last read or write succeeded. The store's stamp of the contents is 0 if it has none.
    case known(ItemContents, stamp: Int32)
    /// The store was not read yet, or the last read failed. The value in memory was made from
    /// `origin`.
    case unknown(origin: ItemContents)
    /// The stored bytes are not corrupt, but must not be overwritten; the error is the reason. The
    /// value in memory was made from `origin`.
    case protected(origin: ItemContents, StorageError)
  }

  /// The changes that the store has reported during a write of this value.
  enum ReportedChanges {
    case noChange
    /// One change, maybe our own.
    case oneChange
    /// More changes, or the store should have been read.
    case more
  }

  private var state = State.unknown(origin: .missing)
  /// The number of changes of the state. An earlier reading is out of date.
  private(set) var version = 0
  /// Stored bytes that do not decode and have no copy yet. Nothing may overwrite them.
  var corrupt: [UInt8]?
  /// The changes reported during a write; nil if this value is not being written. During a write,
  /// the store holds our own bytes, old or new.
  private var reported: ReportedChanges?

  /// The last known contents; nil if the store holds unknown or protected ones.
  var contents: ItemContents? {
    guard case .known(let contents, _) = state else { return nil }
    return contents
  }

  /// Whether the last read succeeded.
  var wasRead: Bool {
    if case .unknown = state { false } else { true }
  }

  /// The store's stamp of the last known contents; 0 if there is none.
  var stamp: Int32 {
    guard case .known(_, let stamp) = state else { return 0 }
    return stamp
  }

  /// The contents that the value in memory was made from, without its own changes.
  var origin: ItemContents {
    switch state {
    case .known(let contents, _): contents
    case .unknown(let origin), .protected(let origin, _): origin
    }
  }

  /// The reason why the stored bytes must not be overwritten; nil if there is none.
  var obstacle: StorageError? {
    guard case .protected(_, let error) = state else { return nil }
    return error
  }

  /// Records contents as last known.
  mutating func set(_ contents: ItemContents, _ stamp: Int32) {
    version += 1
    state = .known(contents, stamp: stamp)
    endCorruption(unlessIn: contents)
  }

  private mutating func endCorruption(unlessIn contents: ItemContents) {
    if let corrupt, contents != .bytes(corrupt) { self.corrupt = nil }  // its bytes are gone
  }

  // MARK: Reading

  /// - Returns: The version for the reading; nil during a write, which is followed by a read.
  mutating func beginReading() -> Int? {
    if reported == nil { return version }
    reported = .more
    return nil
  }

  /// Returns whether a reading differs from the last known contents; nil if these have changed
  /// since the reading, so that the store has to be read again.
  /// - Parameter isAhead: Whether the value in memory has an unwritten change.
  mutating func isNew(_ reading: Reading, isAhead: Bool) -> Bool? {
    if version != reading.version { return nil }
    // After a failed read, unchanged bytes are no reason to drop a local change.
    guard contents != nil || isAhead, reading.contents == origin else { return true }
    set(reading.contents, reading.stamp)
    return false
  }

  /// Records a reading that was taken over as last known, unless something else is known since.
  mutating func accept(_ reading: Reading) {
    guard reported == nil, version == reading.version else { return }
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
    if case .known(let contents, _) = state { state = .unknown(origin: contents) }
  }

  /// Keeps the value in memory, which was not made from the reading, from overwriting it.
  mutating func protect(_ reading: Reading, _ obstacle: StorageError) {
    version += 1
    state = .protected(origin: origin, obstacle)
    endCorruption(unlessIn: reading.contents)
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

/// The contents of an item in a store.
package enum ItemContents: Equatable {
  case missing
  case bytes([UInt8])

  package init(_ bytes: [UInt8]?) {
    self = if let bytes { .bytes(bytes) } else { .missing }
  }

  /// The stored bytes; nil if the item is missing.
  var bytes: [UInt8]? {
    guard case .bytes(let bytes) = self else { return nil }
    return bytes
  }

  /// Compares the bytes word by word: in wasm, `==` of arrays compares byte by byte.
  @inline(never)
  package static func == (left: ItemContents, right: ItemContents) -> Bool {
    switch (left, right) {
    case (.missing, .missing): true
    case (.bytes(let left), .bytes(let right)): left.holdsSame(as: right)
    default: false
    }
  }
}
