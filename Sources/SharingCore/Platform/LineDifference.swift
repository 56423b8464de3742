#if !hasFeature(Embedded)
  /// The difference of two texts, line by line: `-` and `+` before lines of the one and the other,
  /// and a few lines around them that are in both.
  struct LineDifference {
    private var lines: [Line] = []

    private struct Line {
      let mark: Character
      let text: Substring
    }

    /// How many equal lines are shown around a difference.
    private static let context = 2

    init(from old: String, to new: String) {
      let old = old.split(separator: "\n", omittingEmptySubsequences: false)
      let new = new.split(separator: "\n", omittingEmptySubsequences: false)
      var removed: Set<Int> = []
      var inserted: Set<Int> = []
      for change in new.difference(from: old) {
        switch change {
        case .remove(let offset, _, _): removed.insert(offset)
        case .insert(let offset, _, _): inserted.insert(offset)
        }
      }
      var next = 0
      func addInserted() {
        while inserted.contains(next) {
          lines.append(Line(mark: "+", text: new[next]))
          next += 1
        }
      }
      for (offset, line) in old.enumerated() {
        let isRemoved = removed.contains(offset)
        if !isRemoved { addInserted() }
        lines.append(Line(mark: isRemoved ? "-" : " ", text: line))
        if !isRemoved { next += 1 }
      }
      addInserted()
    }

    /// The lines, indented; what is equal and far from any difference is left out, with a `…`.
    var text: String {
      var shown: [String] = []
      var isLeavingOut = false
      for (index, line) in lines.enumerated() {
        if isNearDifference(index) {
          shown.append("    \(line.mark) \(line.text)")
          isLeavingOut = false
        } else if !isLeavingOut {
          shown.append("      …")
          isLeavingOut = true
        }
      }
      return shown.joined(separator: "\n")
    }

    private func isNearDifference(_ index: Int) -> Bool {
      let range = max(0, index - Self.context)...min(lines.count - 1, index + Self.context)
      return lines[range].contains { $0.mark != " " }
    }
  }
#endif
