/// A part of a cell's value with observers: a node of the observer tree. The root is the whole
/// value.
///
/// The root is made for the first observer, and stays until the cell's end. Another node exists
/// while it has dependents or children. A derivation without observers costs nothing here.
/// ``graphLock`` guards all nodes.
final class ObserverNode {
  private let parent: ObserverNode?
  let part: PathComponent
  /// The dependencies on the part's value.
  var valueDependents = List<Dependency.Entry>()
  /// The dependencies on the presence of the part, and on a handle whose target led to it.
  var locationDependents = List<Dependency.Entry>()
  /// The changes that observers of the elements have not seen, if the part is a collection.
  var elementChanges = List<UnsafeMutablePointer<ElementChanges>>()
  /// Returns the hash of an element's id, if elements of the part are observed by their ids.
  var idHash: IDHash?
  /// Sorted by part, for binary search among thousands of elements.
  var children: [ObserverNode] = []

  init(_ part: PathComponent, of parent: ObserverNode?) {
    self.parent = parent
    self.part = part
  }

  deinit {
    valueDependents.free()
    locationDependents.free()
    elementChanges.free()
  }

  /// Returns whether this is the node of a reference of the same cell.
  func isNode(of reference: Reference) -> Bool {
    guard let parent, let derived = reference.derived else {
      return parent == nil && reference.derived == nil
    }
    return part == derived.part && parent.isNode(of: derived.base)
  }

  /// Returns the node of a part, if anything in it is observed.
  func existingChild(_ part: PathComponent) -> ObserverNode? {
    let index = index(of: part)
    return index < children.count && children[index].part == part ? children[index] : nil
  }

  /// Returns the node of a part, made if needed.
  func child(_ part: PathComponent) -> ObserverNode {
    if let known = existingChild(part) { return known }
    let made = ObserverNode(part, of: self)
    children.insert(made, at: index(of: part))
    return made
  }

  /// Returns the index of a part's child, or the index for its insertion.
  private func index(of part: PathComponent) -> Int {
    partitioningIndex(children.count) { !(children[$0].part < part) }
  }
}

// MARK: Dependencies

extension ObserverNode {
  /// Records changes of the elements there until it is removed.
  func insert(_ changes: UnsafeMutablePointer<ElementChanges>) {
    elementChanges.append(changes)
  }

  func remove(_ changes: UnsafeMutablePointer<ElementChanges>) {
    let last = elementChanges.removeLast()
    for index in 0..<elementChanges.count where elementChanges[index] == changes {
      elementChanges[index] = last
    }
  }

  func insert(_ entry: Dependency.Entry) {
    switch entry.dependency.pointee.kind {
    case .value: append(entry, to: &valueDependents)
    case .presence, .location: append(entry, to: &locationDependents)
    }
  }

  func remove(_ dependency: Dependency.Pointer) {
    switch dependency.pointee.kind {
    case .value: remove(dependency, from: &valueDependents)
    case .presence, .location: remove(dependency, from: &locationDependents)
    }
    leaveIfUnused()
  }

  private func append(_ entry: Dependency.Entry, to list: inout List<Dependency.Entry>) {
    entry.dependency.pointee.index = list.count
    list.append(entry)
  }

  private func remove(
    _ dependency: Dependency.Pointer, from list: inout List<Dependency.Entry>
  ) {
    let last = list.removeLast()
    guard last.dependency != dependency else { return }
    list[dependency.pointee.index] = last
    last.dependency.pointee.index = dependency.pointee.index
  }

  private func leaveIfUnused() {
    guard let parent, valueDependents.isEmpty, locationDependents.isEmpty, children.isEmpty
    else { return }
    parent.children.remove(at: parent.index(of: part))
    parent.leaveIfUnused()
  }
}

/// Guards the observer trees of all cells, and the dependencies of observers.
///
/// Locks are taken in this order: a handle's, a cell's, this one. It is held briefly and never
/// while foreign code runs, so one lock for all trees cannot deadlock. Changes of a value that was
/// never observed do not take it.
let graphLock = Lock()
