/// Where a shared value lives: a root, which owns a value, or a part of another reference's value.
///
/// A derived reference is a lens: it finds its part in place, inside the root's memory, and never
/// keeps a copy of its base. Values are reached through raw addresses, so that one class serves
/// every stored property; `Shared` and `SharedReader` know the type.
@usableFromInline
class Reference: @unchecked Sendable {
  /// What this reference is derived from; nil for a root.
  final let base: Reference?
  /// Which part of the base's value this is.
  final let part: Part
  /// The end of the chain, which the chain keeps alive.
  final unowned(unsafe) private(set) var root: Root!

  /// What an access is for.
  @usableFromInline
  enum Access { case reading, changing }

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

  init(part: Part, of base: Reference?) {
    self.base = base
    self.part = part
    if let base {
      root = base.root
    } else {
      root = unsafeDowncast(self, to: Root.self)
    }
  }

  /// Calls `body` once with the value's address, valid during the call. For reading, this takes the
  /// root's lock; for changing, the caller has it.
  @usableFromInline
  func withAddress(_ access: Access, _ body: (UnsafeMutableRawPointer) -> Void) {
    fatalError("withAddress is overridden")
  }
}

// MARK: Reading

extension Reference {
  /// The value, without anyone noticing.
  @usableFromInline
  func value<Value>() -> Value {
    value(in: .current)
  }

  /// The value, without anyone noticing.
  func value<Value>(in turn: Turn) -> Value {
    turn.checkRead(of: root)
    var value: Value?
    withAddress(.reading) { value = $0.assumingMemoryBound(to: Value.self).pointee }
    return value!
  }
}

// MARK: Waking

extension Reference {
  /// Wakes whoever observes a part of the root that overlaps this one. The root's lock is held, so
  /// that an element is woken under the names that the change has found.
  final func wakeObservers(in turn: Turn) {
    guard root.isObserved else { return }
    graphLock.withLock { wakePath(in: turn)?.wakeDescendants(in: turn) }
  }

  /// Wakes the observers of this part, of what contains it and of what else overlaps it.
  /// - Returns: This part's node, if anything in it is observed.
  private final func wakePath(in turn: Turn) -> PathNode? {
    let node =
      if let base {
        base.wakePath(in: turn)?.wakeSiblings(of: part, alias: alias, in: turn)
      } else {
        root.tree
      }
    node?.wakeObservers(in: turn)
    return node
  }
}

// MARK: Observing

extension Reference {
  /// The node of this part in the root's tree. The graph lock is held.
  final func observedNode() -> PathNode {
    guard let base else { return root.observedTree() }
    return base.observedNode().child(part)
  }
}
