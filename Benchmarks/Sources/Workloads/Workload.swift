/// Something to be timed: a name, and how to make ready for running it any number of times.
///
/// ```swift
/// Workload("withLock") {
///   let count = Shared(value: 0)
///   return { iterations in
///     for _ in 0..<iterations { count.withLock { $0 += 1 } }
///   }
/// }
/// ```
public struct Workload: Sendable {
  /// What the tables call it.
  public let name: StaticString
  /// How many operations one iteration does; what is shown is the time of one.
  public let operations: Int
  /// Makes what the workload works on.
  /// - Returns: What is timed: does a number of iterations.
  public let prepare: @Sendable () -> Run

  /// Does a number of iterations.
  public typealias Run = (_ iterations: Int) -> Void

  /// A workload of that name, whose iterations do so many operations each.
  public init(
    _ name: StaticString, operations: Int = 1, prepare: @escaping @Sendable () -> Run
  ) {
    self.name = name
    self.operations = operations
    self.prepare = prepare
  }
}

extension Workload {
  /// Every workload that runs on every host.
  public static var all: [Workload] {
    closureStores + basics + observers + lists + longLists + merging + codec
  }
}
