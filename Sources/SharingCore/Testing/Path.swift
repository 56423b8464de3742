/// The location of a part in a cell's value: the steps from the cell, each with its known names.
struct Path {
  private let steps: [Step]

  private struct Step {
    let part: PathComponent
    /// Another name for the same element.
    let alias: PathComponent?

    /// Returns whether both steps lead to the same part, under either name.
    func isSame(as other: Step) -> Bool {
      part == other.part || part == other.alias || alias == other.part
        || (alias != nil && alias == other.alias)
    }
  }

  /// Creates the path to the current location of a part.
  init(to part: Reference) {
    var steps: [Step] = []
    // An access finds the names of an element; its lock guards them.
    part.withAddress(.reading) { _ in steps = Self.steps(to: part) }
    self.steps = steps
  }

  private static func steps(to part: Reference) -> [Step] {
    guard let derived = part.derived else { return [] }
    return steps(to: derived.base) + [Step(part: derived.part, alias: derived.alias)]
  }

  /// Returns whether the part of the other path lies within the part of this one.
  func contains(_ other: Path) -> Bool {
    guard steps.count <= other.steps.count else { return false }
    for (index, step) in steps.enumerated() {
      let isLast = index == steps.count - 1
      let theirs = other.steps[index]
      guard step.isSame(as: theirs) || (isLast && step.part.contains(theirs.part)) else {
        return false
      }
    }
    return true
  }
}
