/// One read of one observer: the observer is in the list of the node that it has read.
final class Dependency {
  let node: PathNode
  /// Keeps alive whatever the node belongs to, as long as somebody observes it: a root, or a box. Not
  /// a derived reference: one of an element holds on to a value, which would then be copied when it
  /// is changed.
  let owner: AnyObject
  /// Valid while the dependency is in the node's list: an observer leaves all lists first.
  unowned(unsafe) let observer: Observer
  /// Whether what was read is another value now; nil where the observer runs after every change.
  var hasChanged: (() -> Bool)?
  /// The dependency's place in the node's list.
  var index = 0

  init(of observer: Observer, on node: PathNode, of owner: AnyObject) {
    self.observer = observer
    self.owner = owner
    self.node = node
  }
}
