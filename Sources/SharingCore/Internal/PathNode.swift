/// A part of a root's value that somebody observes, in a tree whose root is the whole value.
///
/// Nodes exist while they have observers or children, so a value that nobody observes has no tree
/// and an unobserved derivation costs nothing here. All nodes are guarded by ``graphLock``.
final class PathNode {
  private let parent: PathNode?
  private let part: Part
  private var dependencies: [Dependency] = []
  private var children: [PathNode] = []

  init(_ part: Part, of parent: PathNode?) {
    self.parent = parent
    self.part = part
  }

  /// The node of a part, if anything in it is observed.
  func existingChild(_ part: Part) -> PathNode? {
    children.first { $0.part == part }
  }

  /// The node of a part, made where nobody has observed it yet.
  func child(_ part: Part) -> PathNode {
    if let known = existingChild(part) { return known }
    let made = PathNode(part, of: self)
    children.append(made)
    return made
  }

  /// Wakes whoever observes a part that overlaps the changed one, but is not the same.
  /// - Returns: The changed part's own node, if anything in it is observed.
  func wakeSiblings(of changed: Part, in turn: Turn) -> PathNode? {
    var same: PathNode?
    for child in children where child.part.overlaps(changed) {
      if child.part == changed { same = child } else { child.wakeAll(in: turn) }
    }
    return same
  }

  /// Wakes the observers of this part as a whole.
  func wakeObservers(in turn: Turn) {
    for dependency in dependencies { dependency.observer.queue(in: turn) }
  }

  /// Wakes those observers of this part as a whole that have read it through a box.
  func wakeObservers(through box: Box, in turn: Turn) {
    for dependency in dependencies where dependency.box == ObjectIdentifier(box) {
      dependency.observer.queue(in: turn)
    }
  }

  /// Wakes the observers of everything in this part, but not of the part as a whole.
  func wakeDescendants(in turn: Turn) {
    for child in children { child.wakeAll(in: turn) }
  }

  private func wakeAll(in turn: Turn) {
    wakeObservers(in: turn)
    wakeDescendants(in: turn)
  }

  func insert(_ dependency: Dependency) {
    dependency.index = dependencies.count
    dependencies.append(dependency)
  }

  func remove(_ dependency: Dependency) {
    let last = dependencies.removeLast()
    if last !== dependency {
      dependencies[dependency.index] = last
      last.index = dependency.index
    }
    leaveIfUnused()
  }

  private func leaveIfUnused() {
    guard let parent, dependencies.isEmpty, children.isEmpty else { return }
    parent.removeChild(self)
    parent.leaveIfUnused()
  }

  private func removeChild(_ child: PathNode) {
    guard let index = children.firstIndex(where: { $0 === child }) else { return }
    children.swapAt(index, children.count - 1)
    children.removeLast()
  }
}

/// Guards every path tree and every observer's bookkeeping. It is taken last and held briefly, never
/// while foreign code runs, so one lock for all cannot deadlock; a value without observers does not
/// touch it.
let graphLock = Lock()
