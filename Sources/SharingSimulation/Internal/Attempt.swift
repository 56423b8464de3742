/// A schedule that does not go well.
struct Attempt {
  let tabs: Int
  let steps: [SimulationStep]
  let problem: Problem

  /// Whether other steps have the same kind of problem: then what they have.
  func again<Tab>(
    _ simulation: Simulation<Tab>, _ steps: [SimulationStep], _ tabs: Int
  ) -> Attempt? {
    do throws(Problem) {
      try simulation.with(tabs: tabs).run(steps)
      return nil
    } catch {
      return error.kind == problem.kind ? Attempt(tabs: tabs, steps: steps, problem: error) : nil
    }
  }
}

extension Simulation {
  /// Takes away tabs and steps for as long as the same kind of problem is left.
  func shortest(_ first: Attempt, seed: UInt64?) -> SimulationFailure {
    var best = first
    while let better = withFewerTabs(best) ?? withFewerSteps(best) { best = better }
    best = renumbered(best) ?? best
    return SimulationFailure(
      problem: best.problem.text, seed: seed, steps: best.steps,
      simulation: literal(tabs: best.tabs))
  }

  /// The simulation as it is written in Swift.
  private func literal(tabs: Int) -> String {
    let stored = stored.isEmpty ? "" : ", stored: \(stored)"
    return "Simulation<\(Tab.self)>(tabs: \(tabs)\(stored))"
  }

  private func withFewerTabs(_ attempt: Attempt) -> Attempt? {
    for tabs in 1..<max(1, attempt.tabs) {
      if let better = attempt.again(self, attempt.steps, tabs) { return better }
    }
    return nil
  }

  /// Numbers tabs and actions in their order.
  private func renumbered(_ attempt: Attempt) -> Attempt? {
    var tabs: [Int] = []
    for tab in attempt.steps.compactMap({ $0.tab }) where !tabs.contains(tab) { tabs.append(tab) }
    let steps = attempt.steps.enumerated().map { number, step in
      step.with(tab: step.tab.flatMap { tabs.firstIndex(of: $0) } ?? 0, number: number)
    }
    let fewest = max(1, tabs.count)
    return attempt.again(self, steps, fewest)
      ?? attempt.again(self, steps, min(fewest + 1, attempt.tabs))
  }

  /// First half of the steps goes, or a quarter, and in the end one.
  private func withFewerSteps(_ attempt: Attempt) -> Attempt? {
    var size = attempt.steps.count
    while size > 0 {
      for start in stride(from: 0, to: attempt.steps.count, by: size) {
        var steps = attempt.steps
        steps.removeSubrange(start..<min(start + size, steps.count))
        if let better = attempt.again(self, steps, attempt.tabs) { return better }
      }
      size /= 2
    }
    return nil
  }
}
