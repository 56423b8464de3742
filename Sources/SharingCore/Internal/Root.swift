/// A reference that owns its value: whatever its type, the lock, the observers and the persistence.
@usableFromInline
class Root: Reference, @unchecked Sendable {
  /// Guards the value and whatever is not said to be guarded by another lock. Of foreign code, only
  /// `withLock`'s own closure runs under it, and what makes an element's `id`.
  final let lock = Lock()
  /// Where an element was found last, if the value is a collection: the next one is often there, or
  /// beside it. Guarded by the root's lock.
  final var lastFoundOffset: Int32 = 0
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
  /// What is observed of the value, retained by the root; guarded by the graph lock.
  @exclusivity(unchecked)
  final private(set) var tree: Unmanaged<PathNode>?
  /// The link to a key's store; set before the root is shared.
  @exclusivity(unchecked)
  final var persistence: Persistence?
  /// What Swift's Observation is told.
  final let observation = ObservationBridge()

  init(address: UnsafeMutableRawPointer, isKeyed: Bool) {
    self.isKeyed = isKeyed
    super.init(address: address, root: nil)
  }

  deinit {
    tree?.release()
  }

  /// Swaps the value for the one at an address. The root's lock is held.
  func swapValue(with other: UnsafeMutableRawPointer) {
    fatalError("swapValue(with:) is overridden")
  }

  /// Calls `body` with the address of a default to swap the value for, valid during the call. Only a
  /// value with a key has one.
  func withInitialValue(_ body: (UnsafeMutableRawPointer) -> Void) {
    fatalError("withInitialValue(_:) is overridden")
  }

  /// A root of its own with a copy of the value, and how many bytes the value has in place.
  func copy() -> (root: Root, byteCount: Int) { fatalError("copy() is overridden") }

  @usableFromInline
  override final func withAddress(_ access: Access, _ body: (UnsafeMutableRawPointer) -> Void) {
    switch access {
    case .reading: lock.withLock { body(address!) }
    case .changing: body(address!)
    }
  }
}

// MARK: Observation

extension Root {
  /// Comes before the graph lock is taken and the value is read, so that no change is missed.
  final func willBeObserved() {
    lock.withLock { isObserved = true }
  }

  /// The node of the whole value. The graph lock is held.
  final func observedTree() -> PathNode {
    if let tree { return tree.takeUnretainedValue() }
    let made = PathNode(.whole, of: nil)
    tree = .passRetained(made)
    return made
  }
}
