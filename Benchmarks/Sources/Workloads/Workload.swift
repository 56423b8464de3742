/// A timed workload: a name, and a function that prepares any number of runs.
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
  /// The name in the tables.
  public let name: StaticString
  /// The number of operations in an iteration; the tables show the time of one operation.
  public let operations: Int
  /// Prepares the data of the workload.
  /// - Returns: The timed closure, which runs a number of iterations.
  public let prepare: @Sendable () -> Run

  /// Runs a number of iterations.
  public typealias Run = (_ iterations: Int) -> Void

  /// Creates a workload with a name and a number of operations per iteration.
  public init(
    _ name: StaticString, operations: Int = 1, prepare: @escaping @Sendable () -> Run
  ) {
    self.name = name
    self.operations = operations
    self.prepare = prepare
  }
}

extension Workload {
  /// All workloads that run on every host.
  public static var all: [Workload] {
    closureStores + basics + observers + lists + longLists + merging + codec
  }
}
