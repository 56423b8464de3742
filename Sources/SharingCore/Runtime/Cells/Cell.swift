/// A reference that owns its value. This part is the same for all types: lock, observers,
/// persistence.
///
/// An abstract class, because cells are stored as `Unmanaged`, which cannot hold a protocol type.
@usableFromInline
class Cell: Reference, @unchecked Sendable {
  /// Guards the value and each property without another guard. The only foreign code under it is
  /// the closure of `withLock` or `update`, and the code that finds its part (rule R7).
  final let lock = Lock()
  /// The cached positions of elements, if any were looked up. Guarded by the cell's lock.
  final var positionCache: ElementPositionCache?
  /// The number of changes and replacements of the value.
  final var revision: UInt32 = 0
  /// Whether the value was ever observed; if not, a change does not read the tree.
  final private(set) var isObserved = false
  /// Whether the value is another one's status; tests do not track its changes.
  final var isStatus = false
  /// Whether the value has a key. If so, the cell also stores the default.
  final let isKeyed: Bool
  /// The observer tree of the value, retained by the cell. Guarded by the graph lock.
  final private(set) var tree: Unmanaged<ObserverNode>?
  /// The link to a key's store; set before the cell is shared.
  final var persistence: CellPersistence?
  /// Where the value was declared; set before the cell is shared.
  final var declaration = Declaration()
  /// Reports reads and changes to Swift's Observation.
  final let observation = ObservationBridge()
  /// The tracker of another framework, nil where there is none.
  final let tracker: ReadTracker?

  /// - Parameter isTracked: Whether reads of the value are tracked. Nobody reads a copy.
  init(address: UnsafeMutableRawPointer, isKeyed: Bool, isTracked: Bool = true) {
    self.isKeyed = isKeyed
    tracker = isTracked ? SharingEnvironment.current.makeReadTracker?() : nil
    super.init(address: address, cell: nil)
  }

  deinit {
    tree?.release()
  }

  /// Swaps the value for the one at an address. The cell's lock is held.
  func swapValue(with other: UnsafeMutableRawPointer) {
    fatalError("swapValue(with:) is overridden")
  }

  /// Calls `body` with the address of a copy of the default, valid during the call, to be swapped
  /// with the value. Only a value with a key has one.
  func withInitialValue(_ body: (UnsafeMutableRawPointer) -> Void) {
    fatalError("withInitialValue(_:) is overridden")
  }

  /// Uses the default as the value if none was loaded. No lock is held.
  func showDefault() {}

  /// Returns a copy of the value with its revision.
  final func snapshot() -> ValueSnapshot {
    lock.withLock { ValueSnapshot(copy: copy(), revision: revision) }
  }

  /// Returns a copy of the default of a value with a key.
  final func copyOfDefault() -> ValueSnapshot {
    let copy = lock.withLock { self.copy() }
    withInitialValue { copy.swapValue(with: $0) }
    return ValueSnapshot(copy: copy, revision: 0)
  }

  /// Returns a new cell with a copy of the value. The cell's lock is held.
  func copy() -> Cell { fatalError("copy() is overridden") }

  /// The size of the value in place, in bytes.
  var byteCount: Int { fatalError("byteCount is overridden") }
}

// MARK: Observation

extension Cell {
  /// Comes before a change, without the cell's lock.
  final func willChange() {
    observation.willChange(self)
    tracker?.willChange()
  }

  /// Comes after a change, without the cell's lock.
  final func didChange() {
    observation.didChange(self)
    tracker?.didChange()
  }

  /// Comes before the graph lock is taken and the value is read, so that no change is missed.
  final func willBeObserved() {
    lock.withLock { isObserved = true }
  }

  /// Returns the node of the whole value, made if needed. The graph lock is held.
  final func observedTree() -> ObserverNode {
    if let tree { return tree.takeUnretainedValue() }
    let made = ObserverNode(.whole, of: nil)
    tree = .passRetained(made)
    return made
  }
}

/// A copy of a value with its revision.
package struct ValueSnapshot {
  let copy: Cell
  package let revision: UInt32

  /// The address of the copy, valid while the snapshot exists.
  package var address: UnsafeMutableRawPointer { copy.address! }

  /// Swaps the copy with the value at an address.
  package func swap(with value: UnsafeMutableRawPointer) {
    copy.swapValue(with: value)
  }
}
