/// One read of one observer: the observer is in the list of the node that it has read.
final class Dependency {
  let node: PathNode
  /// What was read; it lives as long as somebody observes it.
  let reference: Reference
  /// The box that it was read through: whoever re-points it wakes the observer.
  var box: ObjectIdentifier
  /// Valid while the dependency is in the node's list: an observer leaves all lists first.
  unowned(unsafe) let observer: Observer
  /// The dependency's place in the node's list.
  var index = 0

  init(of observer: Observer, on reference: Reference, through box: Box, node: PathNode) {
    self.observer = observer
    self.reference = reference
    self.box = ObjectIdentifier(box)
    self.node = node
  }
}
