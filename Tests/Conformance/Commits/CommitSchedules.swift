import RandomSteps
import SharingCore
import SimulatedPrograms

/// Schedules of commits, from a seed or from text.
package enum CommitSchedules {
  /// Runs one schedule.
  /// - Returns: The failure, with the shortest list of steps found; nil if there is none.
  package static func run(seed: Int) -> String? {
    // Runs these less often, since a few are enough.
    if seed % 10 == 0, let problem = ShortLivedClients.run(seed: seed) {
      return "seed \(seed): \(problem)"
    }
    let steps = steps(seed: seed)
    guard let problem = CommitSchedule.run(steps) else { return nil }
    let (shortest, last) = shortest(steps, problem)
    return "seed \(seed): \(last). Replay: \(CommitStep.text(shortest))"
  }

  /// Removes steps and reduces their numbers as long as the schedule still fails.
  private static func shortest(_ steps: [CommitStep], _ problem: String) -> ([CommitStep], String) {
    var (best, problem) = (steps, problem)
    var size = Int.max
    while best.count < size {
      size = best.count
      (best, problem) = fewestSteps(best, problem) { CommitSchedule.run($0) }
      for index in best.indices {
        for (a, b) in [(0, 0), (0, best[index].b), (best[index].a % 3, best[index].b % 3)] {
          var simpler = best
          (simpler[index].a, simpler[index].b) = (a, b)
          guard let other = CommitSchedule.run(simpler) else { continue }
          (best, problem) = (simpler, other)
          break
        }
      }
    }
    return (best, problem)
  }

  /// Runs the schedules of some seeds, up to the first failure.
  /// - Returns: The failure; nil if there is none.
  package static func run(seeds: ClosedRange<Int>) -> String? {
    for seed in seeds {
      if let problem = run(seed: seed) { return problem }
    }
    return nil
  }

  /// Runs the schedules of some seeds with doubles, up to the first failure.
  /// - Returns: The failure; nil if there is none.
  package static func firstProblem(seeds: ClosedRange<Int>, with doubles: any Doubles) -> String? {
    for seed in seeds {
      if let problem = CommitSchedule.run(steps(seed: seed), with: doubles) {
        return "seed \(seed): \(problem)"
      }
    }
    return nil
  }

  /// Returns the steps of a seed as text.
  package static func text(seed: Int) -> UTF8Text { CommitStep.text(steps(seed: seed)) }

  /// Runs steps from text.
  /// - Returns: The failure; nil if there is none.
  package static func replay(_ text: [UInt8]) -> String? {
    guard let steps = CommitStep.steps(text) else { return "one of the steps is none" }
    return CommitSchedule.run(steps)
  }

  /// The number of steps of a schedule.
  private static let length = 80

  private static func steps(seed: Int) -> [CommitStep] {
    var random = SplitMix64(seed: UInt64(truncatingIfNeeded: seed))
    var steps = seed % 2 == 0 ? [] : [CommitStep(.records, 0, 0)]
    let weights = CommitAction.weights + CommitAction.moreWeights[random.below(4)]
    while steps.count < length {
      let step = CommitStep(random.weighted(weights), random.below(60), random.below(60))
      steps.append(step)
      // Two titles in one commit may each replace something.
      if step.action == .title { steps.append(CommitStep(.title, step.a, step.b + 1)) }
    }
    return steps
  }
}
