/// Where a shared value lives: a root, which owns a value, or a part of another reference's value.
///
/// A derived reference is a lens: it finds its part in place, inside the root's memory, and never
/// keeps a copy of its base. Values are reached through raw addresses, so that one class serves
/// every stored property; `Shared` and `SharedReader` know the type.
@usableFromInline
class Reference: @unchecked Sendable {
  /// Where the value is, if it stays there as long as the root lives: the value of a root, and its
  /// stored properties. Nil for a part that has to be found anew for each access.
  final let address: UnsafeMutableRawPointer?
  /// The end of the chain, which the chain keeps alive; set once, by `init`.
  @exclusivity(unchecked)
  final private var end: Unmanaged<Root>?

  /// What an access is for.
  @usableFromInline
  enum Access { case reading, changing }

  /// - Parameter root: The end of the chain; nil for a root itself.
  init(address: UnsafeMutableRawPointer?, root: Root?) {
    self.address = address
    end = .passUnretained(root ?? unsafeDowncast(self, to: Root.self))
  }

  /// The end of the chain: the reference that owns the value.
  @usableFromInline
  final var root: Root { end.unsafelyUnwrapped.takeUnretainedValue() }

  /// Calls `body` with the end of the chain, and counts no reference for it: the caller keeps the chain.
  @inline(__always)
  final func withRoot<Output>(_ body: (Root) -> Output) -> Output {
    end.unsafelyUnwrapped._withUnsafeGuaranteedRef(body)
  }

  /// The reference as a part of another one; nil for a root.
  @inline(__always)
  final var derived: DerivedReference? {
    end.unsafelyUnwrapped.toOpaque() == Unmanaged.passUnretained(self).toOpaque()
      ? nil : unsafeDowncast(self, to: DerivedReference.self)
  }

  /// Another name for the same part, as the last access has found it: an element's position, when it
  /// is known by its id. Nil when there is none or it is not known. The root's lock guards it.
  @usableFromInline
  var alias: Part? { nil }

  /// Tells whether the value has changed since an observer has read it at this address; nil where
  /// every change of the part counts.
  func changeCheck(since value: UnsafeRawPointer) -> (() -> Bool)? { nil }

  /// The same part of another value of the same type; nil where that has none.
  func rederived(from base: Reference) -> Reference? {
    fatalError("rederived(from:) is overridden")
  }

  /// Calls `body` once with the value's address, valid during the call. For reading, this takes the
  /// root's lock; for changing, the caller has it.
  @usableFromInline
  func withAddress(_ access: Access, _ body: (UnsafeMutableRawPointer) -> Void) {
    fatalError("withAddress is overridden")
  }
}

/// A part of another reference's value.
@usableFromInline
class DerivedReference: Reference, @unchecked Sendable {
  /// What it is derived from.
  final let base: Reference
  /// Which part of the base's value it is.
  final let part: Part

  init(_ part: Part, of base: Reference, address: UnsafeMutableRawPointer? = nil) {
    self.base = base
    self.part = part
    super.init(address: address, root: base.root)
  }

  /// Whether the part was gone at the last access: what was written is in no value of the root's. The
  /// root's lock is held.
  var isGone: Bool { base.derived?.isGone ?? false }
}

// MARK: Reading

extension Reference {
  /// Calls `body` once with the value's address, valid during the call, without anyone noticing.
  @usableFromInline
  final func read(_ body: (UnsafeMutableRawPointer) -> Void) {
    Turn.current.checkRead(of: root)
    withAddress(.reading, body)
  }

  /// The value, without anyone noticing.
  final func value<Value>() -> Value {
    var value: Value?
    read { value = $0.assumingMemoryBound(to: Value.self).pointee }
    return value!
  }
}

// MARK: Waking

extension Reference {
  /// Wakes whoever observes a part of the root that overlaps this one. The root's lock is held, so
  /// that an element is woken under the names that the change has found.
  @inline(never)
  final func wakeObservers(in turn: Turn) {
    graphLock.withLock {
      if derived == nil {
        withRoot { $0.tree }?._withUnsafeGuaranteedRef { $0.wakeWhole(in: turn) }
      } else {
        wakePath(in: turn)?._withUnsafeGuaranteedRef { $0.wakeDescendants(in: turn) }
      }
    }
  }

  /// Wakes whoever observes this part, which is gone from the value and keeps one of its own.
  @inline(never)
  final func wakeOwnObservers(in turn: Turn) {
    graphLock.withLock { existingNode()?.wakeWhole(in: turn) }
  }

  /// Wakes the observers of this part, of what contains it and of what else overlaps it.
  /// - Returns: This part's node, if anything in it is observed.
  fileprivate final func wakePath(in turn: Turn) -> Unmanaged<PathNode>? {
    let node = if let derived { derived.wakeOutside(in: turn) } else { withRoot { $0.tree } }
    node?._withUnsafeGuaranteedRef { $0.wakeObservers(in: turn) }
    return node
  }
}

extension DerivedReference {
  /// Wakes the observers of what contains this part and of what else overlaps it.
  fileprivate final func wakeOutside(in turn: Turn) -> Unmanaged<PathNode>? {
    base.wakePath(in: turn)?._withUnsafeGuaranteedRef {
      $0.wakeSiblings(of: part, alias: alias, in: turn).map { .passUnretained($0) }
    }
  }
}

// MARK: Observing

extension Reference {
  /// The node of this part in the root's tree. The graph lock is held.
  final func observedNode() -> PathNode {
    guard let derived else { return root.observedTree() }
    return derived.base.observedNode().child(derived.part)
  }

  /// The same, if anything in the part is observed.
  final func existingNode() -> PathNode? {
    guard let derived else { return root.tree?.takeUnretainedValue() }
    return derived.base.existingNode()?.existingChild(derived.part)
  }
}
