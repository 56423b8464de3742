/// A reference that owns its value: whatever its type, the lock, the observers and the persistence.
///
/// An abstract class, since cells are kept as `Unmanaged`, into which what is only known by a
/// protocol does not fit.
@usableFromInline
class Cell: Reference, @unchecked Sendable {
  /// Guards the value and whatever is not said to be guarded by another lock. Of foreign code, only
  /// `withLock`'s own closure runs under it, and what makes an element's `id`.
  final let lock = Lock()
  /// Where elements are, if they have been looked for. Guarded by the cell's lock.
  final var guesses: ElementGuesses?
  /// How often the value has been changed or replaced.
  @exclusivity(unchecked)
  final var revision: UInt32 = 0
  @exclusivity(unchecked)
  final var isUnsaved = false
  /// Whether anybody has ever observed the value: only then a change asks the tree.
  @exclusivity(unchecked)
  final private(set) var isObserved = false
  /// Whether the value tells of another one's loading and saving: that is no change of its own.
  final var isStatus = false
  /// Whether the value is that of a key: its default is kept, too.
  final let isKeyed: Bool
  /// What is observed of the value, retained by the cell; guarded by the graph lock.
  @exclusivity(unchecked)
  final private(set) var tree: Unmanaged<ObserverNode>?
  /// The link to a key's store; set before the cell is shared.
  @exclusivity(unchecked)
  final var persistence: CellPersistence?
  /// Where the value was declared; set before the cell is shared.
  final var declaration = Declaration()
  /// What Swift's Observation is told.
  final let observation = ObservationBridge()

  init(address: UnsafeMutableRawPointer, isKeyed: Bool) {
    self.isKeyed = isKeyed
    super.init(address: address, cell: nil)
  }

  deinit {
    tree?.release()
  }

  /// Swaps the value for the one at an address. The cell's lock is held.
  func swapValue(with other: UnsafeMutableRawPointer) {
    fatalError("swapValue(with:) is overridden")
  }

  /// Calls `body` with the address of a default to swap the value for, valid during the call. Only
  /// a value with a key has one.
  func withInitialValue(_ body: (UnsafeMutableRawPointer) -> Void) {
    fatalError("withInitialValue(_:) is overridden")
  }

  /// Has the default be the value where nothing has become that yet. No lock is held.
  func showDefault() {}

  /// Calls `body` with the address of a copy of the value, and with the elements of an array that
  /// have changed. No lock is held meanwhile.
  func withValueToSave(_ body: (_ value: UnsafeRawPointer, _ changes: ChangesToSave) -> Void) {
    fatalError("withValueToSave(_:) is overridden")
  }

  /// A cell of its own with a copy of the value, and the revision of that.
  final func snapshot() -> ValueSnapshot {
    let revision = lock.withLock { self.revision }
    return ValueSnapshot(copy: copy().cell, revision: revision)
  }

  /// A cell of its own with a copy of the value, and how many bytes the value has in place.
  func copy() -> (cell: Cell, byteCount: Int) { fatalError("copy() is overridden") }
}

// MARK: Observation

extension Cell {
  /// Comes before the graph lock is taken and the value is read, so that no change is missed.
  final func willBeObserved() {
    lock.withLock { isObserved = true }
  }

  /// The node of the whole value. The graph lock is held.
  final func observedTree() -> ObserverNode {
    if let tree { return tree.takeUnretainedValue() }
    let made = ObserverNode(.whole, of: nil)
    tree = .passRetained(made)
    return made
  }
}

/// A copy of a value, and the revision that it had, or an older one.
package struct ValueSnapshot {
  let copy: Cell
  package let revision: UInt32

  /// The address of the copy, for as long as the snapshot is there.
  package var address: UnsafeMutableRawPointer { copy.address! }

  /// Swaps the copy for the value at an address.
  package func swap(with value: UnsafeMutableRawPointer) {
    copy.swapValue(with: value)
  }
}
