#if !hasFeature(Embedded)
  /// The difference of two texts, line by line: `-` marks lines of the old text, `+` those of the
  /// new one. A few common lines surround them.
  struct LineDifference {
    private var lines: [Line] = []

    private struct Line {
      let mark: Character
      let text: Substring
    }

    /// The number of equal lines around a difference.
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

    /// The indented lines; a `…` replaces equal lines far from any difference.
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
