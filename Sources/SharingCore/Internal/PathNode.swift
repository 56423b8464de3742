/// A part of a root's value that somebody observes, in a tree whose root is the whole value.
///
/// Nodes exist while they have observers or children, so a value that nobody observes has no tree
/// and an unobserved derivation costs nothing here. All nodes are guarded by ``graphLock``.
final class PathNode {
  private let parent: PathNode?
  private let part: Part
  /// Who has read the part's value.
  private var readers = List<Dependency.Pointer>()
  /// Who has found the part, which can go away, or has derived something from it, through a box that
  /// can be pointed elsewhere.
  private var passers = List<Dependency.Pointer>()
  /// Who wants to know which elements have changed, if the part is a collection.
  private var listeners = List<Unmanaged<ElementListener>>()
  /// In the order of their parts: an element among thousands is found by halving.
  private var children = ObjectList<PathNode>()

  init(_ part: Part, of parent: PathNode?) {
    self.parent = parent
    self.part = part
  }

  deinit {
    readers.free()
    passers.free()
    listeners.free()
    children.free()
  }

  /// Whether this is the node of a reference, given that both belong to the same root.
  func isNode(of reference: Reference) -> Bool {
    guard let parent, let derived = reference.derived else {
      return parent == nil && reference.derived == nil
    }
    return part == derived.part && parent.isNode(of: derived.base)
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

// MARK: Waking

extension PathNode {
  /// Wakes whoever observes a part that overlaps the changed one, but is not the same.
  /// - Parameter alias: Another name for the same element, where one is known.
  /// - Returns: The changed part's own node, if anything in it is observed.
  func wakeSiblings(of changed: Part, alias: Part?, in turn: Turn) -> PathNode? {
    if !listeners.isEmpty { tellListeners(changed, alias: alias) }
    guard changed.isElement else {
      wakeChildren(in: turn) { $0 != changed && $0.overlaps(changed) }
      return existingChild(changed)
    }
    var index = 0
    while index < children.count, !children[index].part.isElement {  // they come last
      children[index].wakeAll(in: turn)
      index += 1
    }
    if let alias {
      existingChild(alias)?.wakeAll(in: turn)
    } else if !children.isEmpty, children[children.count - 1].part.isID {
      wakeChildren(in: turn) { $0.isID != changed.isID }
    }
    return existingChild(changed)
  }

  /// Wakes the observers of this part and of everything in it. Inlined where a whole value changes,
  /// which is what most changes are.
  @inline(__always)
  func wakeWhole(in turn: Turn) {
    for index in 0..<readers.count { Observer.queue(for: readers[index], in: turn) }
    wakeDescendants(in: turn)
  }

  /// Wakes the observers of this part as a whole.
  @inline(never)
  func wakeObservers(in turn: Turn) {
    for index in 0..<readers.count { Observer.queue(for: readers[index], in: turn) }
  }

  /// Wakes the observers of everything in this part, but not of the part as a whole.
  @inline(__always)
  func wakeDescendants(in turn: Turn) {
    if !listeners.isEmpty { tellListeners(nil, alias: nil) }
    if !children.isEmpty { wakeChildren(in: turn) { _ in true } }
  }

  @inline(never)
  private func tellListeners(_ changed: Part?, alias: Part?) {
    for index in 0..<listeners.count {
      listeners[index]._withUnsafeGuaranteedRef { $0.note(changed, alias: alias) }
    }
  }

  @inline(never)
  private func wakeChildren(in turn: Turn, where isOverlapping: (Part) -> Bool) {
    for index in 0..<children.count where isOverlapping(children[index].part) {
      children[index].wakeAll(in: turn)
    }
  }

  /// Wakes who has come to this part, or into it, through a box, which points elsewhere now.
  func wakeComers(through box: Box, in turn: Turn) {
    Self.wakeComers(among: readers, through: box, in: turn)
    Self.wakeComers(among: passers, through: box, in: turn)
    for index in 0..<children.count { children[index].wakeComers(through: box, in: turn) }
  }

  private static func wakeComers(
    among list: List<Dependency.Pointer>, through box: Box, in turn: Turn
  ) {
    for index in 0..<list.count where list[index].pointee.leads(through: box) {
      Observer.queueCertainly(for: list[index], in: turn)
    }
  }

  /// Wakes whoever has gone by this part or something in it: what contains it has changed.
  private func wakeAll(in turn: Turn) {
    for index in 0..<passers.count where passers[index].pointee.kind == .presence {
      Observer.queueCertainly(for: passers[index], in: turn)
    }
    wakeObservers(in: turn)
    wakeDescendants(in: turn)
  }
}

// MARK: Dependencies

extension PathNode {
  /// The listener is not kept.
  func insert(_ listener: ElementListener) {
    listeners.append(.passUnretained(listener))
  }

  func remove(_ listener: ElementListener) {
    let listener = Unmanaged.passUnretained(listener).toOpaque()
    let last = listeners.removeLast()
    for index in 0..<listeners.count where listeners[index].toOpaque() == listener {
      listeners[index] = last
    }
  }

  func insert(_ dependency: Dependency.Pointer) {
    switch dependency.pointee.kind {
    case .value: append(dependency, to: &readers)
    case .presence, .direction: append(dependency, to: &passers)
    }
  }

  func remove(_ dependency: Dependency.Pointer) {
    switch dependency.pointee.kind {
    case .value: remove(dependency, from: &readers)
    case .presence, .direction: remove(dependency, from: &passers)
    }
    leaveIfUnused()
  }

  private func append(_ dependency: Dependency.Pointer, to list: inout List<Dependency.Pointer>) {
    dependency.pointee.index = list.count
    list.append(dependency)
  }

  private func remove(
    _ dependency: Dependency.Pointer, from list: inout List<Dependency.Pointer>
  ) {
    let last = list.removeLast()
    guard last != dependency else { return }
    list[dependency.pointee.index] = last
    last.pointee.index = dependency.pointee.index
  }

  private func leaveIfUnused() {
    guard let parent, readers.isEmpty, passers.isEmpty, children.isEmpty else { return }
    parent.children.remove(at: parent.index(of: part))
    parent.leaveIfUnused()
  }
}

/// Guards every path tree and every observer's bookkeeping. It is taken last and held briefly, never
/// while foreign code runs, so one lock for all cannot deadlock; a value without observers does not
/// touch it.
let graphLock = Lock()
