/// One read of an observer's last run. The observer owns it, at a fixed address: lists hold such
/// addresses, so that iterating over them counts no references.
struct Dependency {
  typealias Pointer = UnsafeMutablePointer<Dependency>

  /// The kind of read: the value of a part, the presence of a part, or the target of a handle.
  enum Kind { case value, presence, location }

  /// Returns whether the value differs from the one that was read; nil if every change counts.
  var hasChanged: (() -> Bool)?
  /// The observer's next read.
  var next: Pointer?
  /// The handle of the read, nil for one that the observer's run has made.
  let handle: Handle?
  /// The handle's generation at the read.
  let generation: UInt32
  let kind: Kind
  /// Whether ``hasChanged`` must be called before the next run, because an input of the value
  /// changed. Guarded by the graph lock.
  var needsCheck = false
  /// Retains the node's tree. The derived reference is not retained: an element's reference holds
  /// the value, which a change would then copy.
  let cell: Cell
  /// The node whose list contains the dependency.
  let node: Unmanaged<ObserverNode>
  /// The dependency's index in that list. Guarded by the graph lock.
  var index = 0

  /// A dependency in a node's list, with its observer: a change visits each observer and rarely
  /// reads the dependency. Valid while the dependency exists: an observer frees its own.
  struct Entry: BitwiseCopyable {
    let observer: Unmanaged<Observer>
    let dependency: Pointer
  }

  /// Returns whether this is a read of the same part through a handle that the run has made.
  func isOf(_ kind: Kind, _ reference: Reference) -> Bool {
    handle == nil && self.kind == kind && cell === reference.cell
      && node._withUnsafeGuaranteedRef { $0.isNode(of: reference) }
  }

  /// Returns whether the value was read through a handle, or through one that follows it. Returns
  /// true if that is unknown, because the run has made the handle.
  func wasReached(through handle: Handle) -> Bool {
    var next = self.handle
    while let candidate = next {
      if candidate === handle { return true }
      next = candidate.followed
    }
    guard handle.isMadeInRun else { return false }
    return self.handle == nil || handle.followed.map { wasReached(through: $0) } ?? false
  }
}
