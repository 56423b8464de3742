import RandomSteps
import SharingCore

/// Walks, from a seed or from text.
package enum Walks {
  /// Runs one walk.
  /// - Returns: The failure, with the shortest list of steps found; nil if there is none.
  package static func run(seed: Int, on host: Host) -> String? {
    var chance = WalkChance(seed: seed)
    let steps = chance.steps(60)
    guard let problem = run(steps, on: host) else { return nil }
    let (shortest, last) = fewestSteps(steps, problem) { run($0, on: host) }
    return "seed \(seed): \(last). Replay: \(WalkStep.text(shortest))"
  }

  /// Returns the steps of a seed as text.
  package static func text(seed: Int) -> UTF8Text {
    var chance = WalkChance(seed: seed)
    return WalkStep.text(chance.steps(60))
  }

  /// Runs steps from text.
  /// - Returns: The failure; nil if there is none.
  package static func replay(_ text: [UInt8], on host: Host) -> String? {
    guard let steps = WalkStep.steps(text) else { return "one of the steps is none" }
    return run(steps, on: host)
  }

  private static func run(_ steps: [WalkStep], on host: Host) -> String? {
    let walk = Walk(on: host)
    return walk.run(steps)
  }
}
