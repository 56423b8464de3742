/// One read of one observer: the observer is in the list of the node that it has read.
final class Dependency {
  let node: PathNode
  /// Whose part was read; it lives as long as somebody observes it. Not the derived reference: one of
  /// an element may hold on to a value, which would then be copied when it is changed.
  let root: Root
  /// The box that it was read through: whoever re-points it wakes the observer.
  var box: ObjectIdentifier
  /// Valid while the dependency is in the node's list: an observer leaves all lists first.
  unowned(unsafe) let observer: Observer
  /// Whether what was read is another value now; nil where the observer runs after every change.
  var hasChanged: (() -> Bool)?
  /// The dependency's place in the node's list.
  var index = 0

  init(of observer: Observer, on node: PathNode, of root: Root, through box: Box) {
    self.observer = observer
    self.root = root
    self.box = ObjectIdentifier(box)
    self.node = node
  }
}
