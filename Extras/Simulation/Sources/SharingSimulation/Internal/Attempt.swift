import RandomSteps

/// A schedule with a problem.
struct Attempt {
  let tabs: Int
  let steps: [SimulationStep]
  let problem: Problem

  /// Returns other steps with their problem if it is of the same kind; otherwise nil.
  func again(
    _ simulation: Simulation, _ steps: [SimulationStep], _ tabs: Int
  ) -> Attempt? {
    do throws(Problem) {
      var simulation = simulation
      simulation.tabs = tabs
      try simulation.run(steps)
      return nil
    } catch {
      return error.kind == problem.kind ? Attempt(tabs: tabs, steps: steps, problem: error) : nil
    }
  }
}

extension Simulation {
  /// Removes tabs and steps while a problem of the same kind remains.
  func shortest(_ first: Attempt, seed: UInt64?) -> SimulationFailure {
    var best = withFewestSteps(first)
    while let better = withFewerTabs(best) { best = withFewestSteps(better) }
    best = renumbered(best) ?? best
    let steps = best.steps.map { "\($0)" }.joined(separator: "; ")
    return failure(best.problem.text, seed: seed, steps, best.tabs)
  }

  private func withFewerTabs(_ attempt: Attempt) -> Attempt? {
    for tabs in 1..<max(1, attempt.tabs) {
      if let better = attempt.again(self, attempt.steps, tabs) { return better }
    }
    return nil
  }

  /// Renumbers tabs and actions in the order of their first steps.
  private func renumbered(_ attempt: Attempt) -> Attempt? {
    var tabs: [Int] = []
    var steps = attempt.steps
    for (number, step) in steps.enumerated() where step.kind != .clear {
      if !tabs.contains(step.tab) { tabs.append(step.tab) }
      steps[number].tab = tabs.firstIndex(of: step.tab) ?? 0
      if step.kind == .act { steps[number].number = number }
    }
    let fewest = max(1, tabs.count)
    return attempt.again(self, steps, fewest)
      ?? attempt.again(self, steps, min(fewest + 1, attempt.tabs))
  }

  /// Removes steps until each of the remaining ones is needed for the problem.
  private func withFewestSteps(_ attempt: Attempt) -> Attempt {
    var (best, size) = (attempt, Int.max)
    while best.steps.count < size {
      size = best.steps.count
      best = fewestSteps(best.steps, best) { best.again(self, $0, best.tabs) }.1
    }
    return best
  }
}

/// The problem of a schedule.
struct Problem: Error {
  let kind: Kind
  let text: String

  init(_ kind: Kind, _ text: String) {
    (self.kind, self.text) = (kind, text)
  }

  /// The kind of problem, which is the same in a shorter schedule.
  enum Kind {
    case lost, diverged, restless, idleWrite, needless, ofTab, unjournaled, overwritten
  }
}
