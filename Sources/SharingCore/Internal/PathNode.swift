/// A part of a root's value that somebody observes, in a tree whose root is the whole value.
///
/// Nodes exist while they have observers or children, so a value that nobody observes has no tree
/// and an unobserved derivation costs nothing here. All nodes are guarded by ``graphLock``.
final class PathNode {
  private let parent: PathNode?
  private let part: Part
  private var dependencies: [Dependency] = []
  /// In the order of their parts: an element among thousands is found by halving.
  private var children: [PathNode] = []

  init(_ part: Part, of parent: PathNode?) {
    self.parent = parent
    self.part = part
  }

  /// Whether this is the node of a reference, given that both belong to the same root.
  func isNode(of reference: Reference) -> Bool {
    guard let parent, let base = reference.base else {
      return parent == nil && reference.base == nil
    }
    return part == reference.part && parent.isNode(of: base)
  }

  /// The node of a part, if anything in it is observed.
  func existingChild(_ part: Part) -> PathNode? {
    let index = index(of: part)
    return index < children.count && children[index].part == part ? children[index] : nil
  }

  /// The node of a part, made where nobody has observed it yet.
  func child(_ part: Part) -> PathNode {
    if let known = existingChild(part) { return known }
    let made = PathNode(part, of: self)
    children.insert(made, at: index(of: part))
    return made
  }

  /// Wakes whoever observes a part that overlaps the changed one, but is not the same.
  /// - Parameter alias: Another name for the same element, where one is known.
  /// - Returns: The changed part's own node, if anything in it is observed.
  func wakeSiblings(of changed: Part, alias: Part?, in turn: Turn) -> PathNode? {
    guard changed.isElement else {
      for child in children where child.part != changed && child.part.overlaps(changed) {
        child.wakeAll(in: turn)
      }
      return existingChild(changed)
    }
    existingChild(.whole)?.wakeAll(in: turn)
    if let alias {
      existingChild(alias)?.wakeAll(in: turn)
    } else if children.last?.part.isID == true {
      for child in children where child.part.isID != changed.isID { child.wakeAll(in: turn) }
    }
    return existingChild(changed)
  }

  /// Wakes the observers of this part as a whole.
  func wakeObservers(in turn: Turn) {
    for dependency in dependencies { dependency.observer.queue(for: dependency, in: turn) }
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
    children.remove(at: index(of: child.part))
  }

  /// Where the child of a part is, or else would be.
  private func index(of part: Part) -> Int {
    var lower = 0
    var upper = children.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if children[middle].part < part { lower = middle + 1 } else { upper = middle }
    }
    return lower
  }
}

/// Guards every path tree and every observer's bookkeeping. It is taken last and held briefly, never
/// while foreign code runs, so one lock for all cannot deadlock; a value without observers does not
/// touch it.
let graphLock = Lock()
