/// Where in a cell's value a part lies: the steps from the cell, each by the names that are known.
struct Path {
  private let steps: [Step]

  private struct Step {
    let part: PathComponent
    /// Another name for the same element.
    let alias: PathComponent?

    /// Whether the other step is the same one, by whichever name.
    func isSame(as other: Step) -> Bool {
      part == other.part || part == other.alias || alias == other.part
        || (alias != nil && alias == other.alias)
    }
  }

  /// Where a part lies now.
  init(to part: Reference) {
    var steps: [Step] = []
    // The names of an element are known after an access, and guarded by the lock that it takes.
    part.withAddress(.reading) { _ in steps = Self.steps(to: part) }
    self.steps = steps
  }

  private static func steps(to part: Reference) -> [Step] {
    guard let derived = part.derived else { return [] }
    return steps(to: derived.base) + [Step(part: derived.part, alias: part.alias)]
  }

  /// Whether what the other path leads to lies in what this one leads to.
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

extension Reference {
  /// The part itself, or where it is computed what it is computed from: any of that may change with
  /// it.
  final var storedPart: Reference {
    guard let derived else { return self }
    let storedBase = derived.base.storedPart
    return derived.part == .whole || storedBase !== derived.base ? storedBase : self
  }

  /// Whether the value, or what it is a part of, is computed: then the cell's lock is not held
  /// while it is read.
  final var isComputed: Bool {
    guard let derived else { return false }
    return derived.part == .whole || derived.base.isComputed
  }

  /// The same part of a copy of the cell's value; nil where that has none.
  final func counterpart(in copy: Cell) -> Reference? {
    guard let derived else { return copy }
    return derived.base.counterpart(in: copy).flatMap { rederived(from: $0) }
  }
}
