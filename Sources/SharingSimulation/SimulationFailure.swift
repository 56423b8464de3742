/// The problem of a schedule of a ``Simulation``, and the shortest schedule found that has it.
public struct SimulationFailure: Error, Equatable, CustomStringConvertible {
  /// The problem.
  public let problem: String
  /// The seed from which the schedule was made; nil for one that was written down.
  public let seed: UInt64?
  /// The steps of the shortest schedule that could be found.
  public let steps: [SimulationStep]
  /// The simulation as it is written in Swift.
  let simulation: String

  /// The problem, and a line of Swift that repeats it in a test.
  public var description: String {
    let origin = seed.map { "Seed \($0) does" } ?? "These steps do"
    let lines = steps.map { "  \($0),\n" }.joined()
    let list = lines.isEmpty ? "[]" : "[\n\(lines)]"
    return """
      \(origin) not go well: \(problem).
      The shortest schedule that was found:

      try \(simulation).replay(\(list))
      """
  }
}
