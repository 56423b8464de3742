/// Removes steps while a problem remains: first all at once, then half of them, at last single
/// ones.
/// - Parameters:
///   - problem: The problem of all steps.
///   - run: Runs steps and returns their problem; nil if they have none.
/// - Returns: The fewest steps found that still have a problem, and their problem.
package func fewestSteps<Step, Problem>(
  _ steps: [Step], _ problem: Problem, _ run: ([Step]) -> Problem?
) -> ([Step], Problem) {
  var (best, problem) = (steps, problem)
  var size = best.count
  while size > 0 {
    var start = 0
    while start < best.count {
      var fewer = best
      fewer.removeSubrange(start..<min(start + size, best.count))
      if let other = run(fewer) {
        (best, problem) = (fewer, other)
      } else {
        start += size
      }
    }
    size /= 2
  }
  return (best, problem)
}
