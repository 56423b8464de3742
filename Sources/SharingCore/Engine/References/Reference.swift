/// Where a shared value lives: a cell, which owns a value, or a part of another reference's value.
///
/// A derived reference is a lens: it finds its part in place, inside the cell's memory, and never
/// keeps a copy of its base. Values are reached through raw addresses, so that one class serves
/// every stored property; `Shared` and `SharedReader` know the type.
@usableFromInline
class Reference: @unchecked Sendable {
  /// Where the value is, if it stays there as long as the cell lives: the value of a cell, and its
  /// stored properties. Nil for a part that has to be found anew for each access.
  final let address: UnsafeMutableRawPointer?
  /// The end of the chain, which the chain keeps alive; set once, by `init`.
  @exclusivity(unchecked)
  final private var end: Unmanaged<Cell>?

  /// What an access is for.
  @usableFromInline
  enum Access { case reading, changing }

  /// - Parameter cell: The end of the chain; nil for a cell itself.
  init(address: UnsafeMutableRawPointer?, cell: Cell?) {
    self.address = address
    end = .passUnretained(cell ?? unsafeDowncast(self, to: Cell.self))
  }

  /// The end of the chain: the reference that owns the value.
  @usableFromInline
  final var cell: Cell { end.unsafelyUnwrapped.takeUnretainedValue() }

  /// Calls `body` with the end of the chain, and counts no reference for it: the caller keeps the
  /// chain.
  @inline(__always)
  final func withCell<Output>(_ body: (Cell) -> Output) -> Output {
    end.unsafelyUnwrapped._withUnsafeGuaranteedRef(body)
  }

  /// The reference as a part of another one; nil for a cell.
  @inline(__always)
  final var derived: DerivedReference? {
    end.unsafelyUnwrapped.toOpaque() == Unmanaged.passUnretained(self).toOpaque()
      ? nil : unsafeDowncast(self, to: DerivedReference.self)
  }

  /// Another name for the same part, as the last access has found it: an element's position, when
  /// it is known by its id. Nil when there is none or it is not known. The cell's lock guards it.
  @usableFromInline
  var alias: PathComponent? { nil }

  /// Tells whether the value has changed since an observer has read it at this address; nil where
  /// every change of the part counts.
  func changeCheck(since value: UnsafeRawPointer) -> (() -> Bool)? { nil }

  /// The same part of another value of the same type; nil where that has none, and for what is no
  /// part that stays.
  func rederived(from base: Reference) -> Reference? { nil }

  /// Calls `body` once with the value's address, valid during the call. For reading, this takes the
  /// cell's lock; for changing, the caller has it. Where ``address`` is nil, this is overridden.
  @usableFromInline
  func withAddress(_ access: Access, _ body: (UnsafeMutableRawPointer) -> Void) {
    switch access {
    case .reading: withCell { $0.lock.withLock { body(address!) } }
    case .changing: body(address!)
    }
  }
}

/// The hash of the id that the element at a position of a collection has; nil where there is none.
@usableFromInline
typealias IDHash = (_ collection: UnsafeRawPointer, _ position: Int) -> Int?

// MARK: Reading

extension Reference {
  /// Calls `body` once with the value's address, valid during the call, without anyone noticing.
  @usableFromInline
  final func read(_ body: (UnsafeMutableRawPointer) -> Void) {
    Scheduler.current.checkRead(of: cell)
    withAddress(.reading, body)
  }

  /// The value, without anyone noticing.
  final func value<Value>() -> Value {
    var value: Value?
    read { value = $0.assumingMemoryBound(to: Value.self).pointee }
    return value!
  }
}

// MARK: Observing

extension Reference {
  /// The node of this part in the cell's tree. The graph lock is held.
  final func observedNode() -> ObserverNode {
    guard let derived else { return cell.observedTree() }
    let node = derived.base.observedNode()
    if let idHash = derived.idHash { node.idHash = idHash }
    return node.child(derived.part)
  }

  /// The same, if anything in the part is observed.
  final func existingNode() -> ObserverNode? {
    guard let derived else { return cell.tree?.takeUnretainedValue() }
    return derived.base.existingNode()?.existingChild(derived.part)
  }
}
