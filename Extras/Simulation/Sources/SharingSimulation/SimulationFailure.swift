/// The problem of a schedule of a ``Simulation``, and the shortest schedule found that has it.
public struct SimulationFailure: Error, Equatable, CustomStringConvertible {
  /// The problem.
  package let problem: String
  /// The seed of the schedule; nil for the steps of ``Simulation/replay(_:)``.
  package let seed: UInt64?
  /// The text of the shortest schedule that was found.
  package let steps: String
  /// The Swift expression of the simulation.
  let simulation: String

  /// The problem, and Swift code that repeats it in a test.
  public var description: String {
    let origin = seed.map { "Seed \($0) fails" } ?? "These steps fail"
    return """
      \(origin): \(problem).
      The shortest schedule that was found:

      try \(simulation).replay(\(steps.debugDescription))
      """
  }
}
