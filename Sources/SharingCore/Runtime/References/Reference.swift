/// The location of a shared value: a cell, which owns a value, or a part of another reference's
/// value.
///
/// A derived reference is a lens: it finds its part in place, inside the cell's memory, and never
/// copies its base. Values are accessed through raw addresses, so that one class serves all stored
/// properties; `Shared` and `SharedReader` have the type.
@usableFromInline
class Reference: @unchecked Sendable {
  /// The address of the value, if it is constant while the cell exists: for the value of a cell and
  /// its stored properties. Nil for a part that each access must find again.
  final let address: UnsafeMutableRawPointer?
  /// The cell at the end of the chain, which the chain retains. Set once, by `init`.
  final private var end: Unmanaged<Cell>?

  /// The purpose of an access.
  @usableFromInline
  enum Access { case reading, changing }

  /// Creates a reference.
  /// - Parameter cell: The cell at the end of the chain, nil for a cell itself.
  init(address: UnsafeMutableRawPointer?, cell: Cell?) {
    self.address = address
    end = .passUnretained(cell ?? unsafeDowncast(self, to: Cell.self))
  }

  /// The cell at the end of the chain, which owns the value.
  @usableFromInline
  final var cell: Cell { end.unsafelyUnwrapped.takeUnretainedValue() }

  /// Calls `body` with the cell, without counting a reference: the caller retains the chain.
  @inline(__always)
  final func withCell<Output>(_ body: (Cell) -> Output) -> Output {
    end.unsafelyUnwrapped._withUnsafeGuaranteedRef(body)
  }

  /// The reference as a derived one, nil for a cell.
  final var derived: DerivedReference? {
    end.unsafelyUnwrapped.toOpaque() == Unmanaged.passUnretained(self).toOpaque()
      ? nil : unsafeDowncast(self, to: DerivedReference.self)
  }

  /// Returns a check whether the value changed since an observer read it at this address; nil if
  /// every change of the part counts.
  func changeCheck(since value: UnsafeRawPointer) -> (() -> Bool)? { nil }

  /// Returns the same part of another value of the same type. Returns nil if that has none, and for
  /// a reference that is not a lasting part.
  func rederived(from base: Reference) -> Reference? { nil }

  /// Calls `body` once with the value's address, valid during the call. A read takes the cell's
  /// lock; for a change, the caller holds it. Overridden if ``address`` is nil.
  @usableFromInline
  func withAddress(_ access: Access, _ body: (UnsafeMutableRawPointer) -> Void) {
    switch access {
    case .reading: withCell { $0.lock.withLock { body(address!) } }
    case .changing: body(address!)
    }
  }
}

/// Returns the hash of the id of the element at a position of a collection, nil if there is none.
@usableFromInline
typealias IDHash = (_ collection: UnsafeRawPointer, _ position: Int) -> Int?

// MARK: Reading

extension Reference {
  /// Calls `body` once with the value's address, valid during the call. The read is not observed.
  @usableFromInline
  final func read(_ body: (UnsafeMutableRawPointer) -> Void) {
    Scheduler.current.checkRead(of: cell)
    withAddress(.reading, body)
  }

  /// Returns the value. The read is not observed.
  final func value<Value>() -> Value {
    var value: Value?
    read { value = $0.assumingMemoryBound(to: Value.self).pointee }
    return value!
  }
}

// MARK: Observing

extension Reference {
  /// Returns the node of this part in the cell's tree, made if needed. The graph lock is held.
  final func observedNode() -> ObserverNode {
    guard let derived else { return cell.observedTree() }
    let node = derived.base.observedNode()
    if let idHash = derived.idHash { node.idHash = idHash }
    return node.child(derived.part)
  }

  /// Returns the node of this part, if anything in it is observed.
  final func existingNode() -> ObserverNode? {
    guard let derived else { return cell.tree?.takeUnretainedValue() }
    return derived.base.existingNode()?.existingChild(derived.part)
  }
}

extension Reference {
  /// The part itself. If it is computed, the part that it is computed from: any of that may change
  /// with it.
  final var storedPart: Reference {
    guard let derived else { return self }
    let storedBase = derived.base.storedPart
    return derived.part == .whole || storedBase !== derived.base ? storedBase : self
  }

  /// Whether the value or a base of it is computed. A read of a computed value does not hold the
  /// cell's lock.
  final var isComputed: Bool {
    guard let derived else { return false }
    return derived.part == .whole || derived.base.isComputed
  }

  /// Returns the same part of a copy of the cell's value, nil if the copy has none.
  final func counterpart(in copy: Cell) -> Reference? {
    guard let derived else { return copy }
    return derived.base.counterpart(in: copy).flatMap { rederived(from: $0) }
  }
}
