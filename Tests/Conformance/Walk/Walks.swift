import SharingCore

/// Walks that are made from a seed, and those that are written down.
package enum Walks {
  /// Walks so many steps.
  /// - Returns: What goes wrong, with the fewest steps that could be found for it; nil when nothing does.
  package static func run(seed: Int, on host: Host) -> String? {
    var chance = WalkChance(seed: seed)
    let steps = chance.steps(60)
    guard let problem = run(steps, on: host) else { return nil }
    let (shortest, last) = shortest(steps, problem, on: host)
    return "seed \(seed): \(last). Replay: \(shortest.text)"
  }

  /// Walks the steps of a seed, as they are written down.
  package static func text(seed: Int) -> UTF8Text {
    var chance = WalkChance(seed: seed)
    return chance.steps(60).text
  }

  /// Walks steps that are written down.
  /// - Returns: What goes wrong; nil when nothing does.
  package static func replay(_ text: [UInt8], on host: Host) -> String? {
    guard let steps = [WalkStep](text) else { return "one of the steps is none" }
    return run(steps, on: host)
  }

  private static func run(_ steps: [WalkStep], on host: Host) -> String? {
    let walk = Walk(on: host)
    return walk.run(steps)
  }

  /// Takes away steps for as long as something is wrong: first half of them, in the end one.
  private static func shortest(
    _ steps: [WalkStep], _ problem: String, on host: Host
  ) -> ([WalkStep], String) {
    var (best, problem) = (steps, problem)
    var size = best.count
    while size > 0 {
      var start = 0
      while start < best.count {
        var fewer = best
        fewer.removeSubrange(start..<min(start + size, best.count))
        if let other = run(fewer, on: host) {
          (best, problem) = (fewer, other)
        } else {
          start += size
        }
      }
      size /= 2
    }
    return (best, problem)
  }
}
