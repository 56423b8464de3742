/// One thing that an observer has read in its last run. The observer owns it, at a fixed address:
/// lists hold such addresses, so that iterating over them counts no references.
struct Dependency {
  typealias Pointer = UnsafeMutablePointer<Dependency>

  /// What was read: the value of a part, whether the part is there, or where a handle points.
  enum Kind { case value, presence, location }

  // What each change and each run use comes first.
  /// Whether what was read is another value now; nil where the observer runs after every change.
  var hasChanged: (() -> Bool)?
  /// The one that the observer has read after it.
  var next: Pointer?
  /// The handle through which it was read; nil for a transient one.
  let handle: Handle?
  /// The handle's generation at that time.
  let generation: UInt32
  let kind: Kind
  /// Whether ``hasChanged`` has to be asked: what the value was computed from has changed. Guarded
  /// by the graph lock.
  var needsCheck = false
  /// Keeps the node's tree alive. Not the derived reference: one of an element holds on to a value,
  /// which would then be copied when it is changed.
  let cell: Cell
  /// The node that has the dependency in its list.
  let node: Unmanaged<ObserverNode>
  /// The dependency's place in that list. Guarded by the graph lock.
  var index = 0

  /// A dependency in a node's list, and its observer: a change comes to each observer, and mostly
  /// has nothing to ask its dependency. Valid while the dependency is: an observer frees its own.
  struct Entry: BitwiseCopyable {
    let observer: Unmanaged<Observer>
    let dependency: Pointer
  }

  /// Whether what was read is another value now. No lock is held: this may compute and compare.
  var hasChangedValue: Bool { hasChanged?() ?? true }

  /// Whether it is the value of a cell or of a stored property, read through a handle that is kept:
  /// nothing else is read on the way there.
  var isInPlace: Bool {
    kind == .value && handle != nil && node._withUnsafeGuaranteedRef { $0.isInPlace }
  }

  /// Whether this is the same part, read through a transient handle.
  func isOf(_ kind: Kind, _ reference: Reference) -> Bool {
    handle == nil && self.kind == kind && cell === reference.cell
      && node._withUnsafeGuaranteedRef { $0.isNode(of: reference) }
  }

  /// Whether the value was read through a handle, or through one that follows it; also true where
  /// that is not known, since the handle was transient.
  func wasReached(through handle: Handle) -> Bool {
    var next = self.handle
    while let candidate = next {
      if candidate === handle { return true }
      next = candidate.followed
    }
    guard handle.isTransient else { return false }
    return self.handle == nil || handle.followed.map { wasReached(through: $0) } ?? false
  }
}
