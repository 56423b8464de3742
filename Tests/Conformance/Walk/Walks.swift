import RandomSteps
import SharingCore

/// Walks that are made from a seed, and those that are written down.
package enum Walks {
  /// Runs one walk.
  /// - Returns: What goes wrong, with the fewest steps found that show it; nil when nothing does.
  package static func run(seed: Int, on host: Host) -> String? {
    var chance = WalkChance(seed: seed)
    let steps = chance.steps(60)
    guard let problem = run(steps, on: host) else { return nil }
    let (shortest, last) = fewestSteps(steps, problem) { run($0, on: host) }
    return "seed \(seed): \(last). Replay: \(WalkStep.text(shortest))"
  }

  /// Walks the steps of a seed, as they are written down.
  package static func text(seed: Int) -> UTF8Text {
    var chance = WalkChance(seed: seed)
    return WalkStep.text(chance.steps(60))
  }

  /// Walks steps that are written down.
  /// - Returns: What goes wrong; nil when nothing does.
  package static func replay(_ text: [UInt8], on host: Host) -> String? {
    guard let steps = WalkStep.steps(text) else { return "one of the steps is none" }
    return run(steps, on: host)
  }

  private static func run(_ steps: [WalkStep], on host: Host) -> String? {
    let walk = Walk(on: host)
    return walk.run(steps)
  }
}
