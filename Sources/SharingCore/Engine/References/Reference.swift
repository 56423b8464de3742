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
  /// cell's lock; for changing, the caller has it.
  @usableFromInline
  func withAddress(_ access: Access, _ body: (UnsafeMutableRawPointer) -> Void) {
    fatalError("withAddress is overridden")
  }
}

/// The hash of the id that the element at a position of a collection has; nil where there is none.
@usableFromInline
typealias IDHash = (_ collection: UnsafeRawPointer, _ position: Int) -> Int?

/// A part of another reference's value.
@usableFromInline
class DerivedReference: Reference, @unchecked Sendable {
  /// What it is derived from.
  final let base: Reference
  /// Which part of the base's value it is.
  final let part: PathComponent

  init(_ part: PathComponent, of base: Reference, address: UnsafeMutableRawPointer? = nil) {
    self.base = base
    self.part = part
    super.init(address: address, cell: base.cell)
  }

  /// Tells the id of an element of the base, of a part that is known by such an id.
  @usableFromInline
  var idHash: IDHash? { nil }

  /// Whether the part was gone at the last access: what was written is in no value of the cell's.
  /// The cell's lock is held.
  var isGone: Bool { base.derived?.isGone ?? false }
}

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

// MARK: Marking observers stale

extension Cell {
  /// Marks the observers of any of the value stale. The cell's lock is held.
  @inline(never)
  final func markAllStale(in scheduler: Scheduler) {
    graphLock.withLock { tree?._withUnsafeGuaranteedRef { $0.markWholeStale(in: scheduler) } }
  }
}

extension Cell {
  /// Wakes whoever observes elements that have changed. The cell's lock is held.
  /// - Parameter former: The address of the collection as it was before.
  @inline(never)
  final func markObserversStale(
    of changes: ElementChanges, former: UnsafeRawPointer, in scheduler: Scheduler
  ) {
    switch changes {
    case .anything: markAllStale(in: scheduler)
    case .removed(let position):
      ElementEdit(.removed(position), alias: nil, of: self).markObserversStale(in: scheduler)
    case .changed(let positions):
      let idHash = graphLock.withLock { tree?.takeUnretainedValue().idHash }
      for position in positions {
        // An element may have another id than the one before it at that position.
        let before = idHash?(former, position)
        let after = idHash?(address!, position)
        markElementStale(at: position, idHash: before ?? after, in: scheduler)
        if let after, after != before {
          markElementStale(at: position, idHash: after, in: scheduler)
        }
      }
    }
  }

  private final func markElementStale(at position: Int, idHash: Int?, in scheduler: Scheduler) {
    // Where no element is observed by its id, none has to be known by one.
    let alias = PathComponent.id(hash: idHash ?? 0)
    ElementEdit(.position(position), alias: alias, of: self).markObserversStale(in: scheduler)
  }
}

extension Reference {
  /// Marks the observers of parts of the cell that overlap this one stale. The cell's lock is held,
  /// so that those of an element are found under the names that the change has found.
  @inline(never)
  final func markObserversStale(in scheduler: Scheduler) {
    graphLock.withLock {
      markPathStale(in: scheduler)?._withUnsafeGuaranteedRef {
        $0.markDescendantsStale(in: scheduler)
      }
    }
  }

  /// Wakes whoever observes this part, which is gone from the value and keeps one of its own.
  @inline(never)
  final func markOwnObserversStale(in scheduler: Scheduler) {
    graphLock.withLock { existingNode()?.markWholeStale(in: scheduler) }
  }

  /// Wakes the observers of this part, of what contains it and of what else overlaps it.
  /// - Returns: This part's node, if anything in it is observed.
  fileprivate final func markPathStale(in scheduler: Scheduler) -> Unmanaged<ObserverNode>? {
    let node =
      if let derived { derived.markSurroundingsStale(in: scheduler) } else { withCell { $0.tree } }
    node?._withUnsafeGuaranteedRef { $0.markObserversStale(in: scheduler) }
    return node
  }
}

extension DerivedReference {
  /// Wakes the observers of what contains this part and of what else overlaps it.
  fileprivate final func markSurroundingsStale(in scheduler: Scheduler) -> Unmanaged<ObserverNode>?
  {
    base.markPathStale(in: scheduler)?._withUnsafeGuaranteedRef {
      $0.markSiblingsStale(of: part, alias: alias, in: scheduler).map { .passUnretained($0) }
    }
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
