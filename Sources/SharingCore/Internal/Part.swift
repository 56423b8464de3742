/// Which part of a value a derived value is: one step of a path.
enum Part: Equatable {
  /// The value itself: the step of a root.
  case whole
  /// Stored properties: their bytes in the value. A chain of stored properties is one step.
  case bytes(Range<Int>)

  /// Whether a change of the one can be seen in the other, where both are parts of one value.
  func overlaps(_ other: Part) -> Bool {
    switch (self, other) {
    case (.bytes(let mine), .bytes(let others)): mine.overlaps(others) || mine == others
    default: true
    }
  }
}
