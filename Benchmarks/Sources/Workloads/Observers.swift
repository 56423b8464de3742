import SharingCore

extension Workload {
  /// One observed value: each observer runs, reads the value again, and is armed again. The time is
  /// that of a change with one observer, and per observer with 10,000.
  public static let observers = [
    observed("withLock, value:, 1 observer", by: 1, Shared(value: 0)),
    observed("withLock, value:, per observer of 10,000", by: 10_000, Shared(value: 0)),
    observed(
      "withLock, .inMemory, 1 observer", by: 1, Shared(wrappedValue: 0, .inMemory("1 observer"))),
    observed(
      "withLock, .inMemory, per observer of 10,000", by: 10_000,
      Shared(wrappedValue: 0, .inMemory("10,000 observers"))),
    sunk("withLock, value:, 1 sink", into: 1),
    sunk("withLock, value:, per sink of 10,000", into: 10_000),
  ]

  /// Subscribes sinks to one value, without tracking.
  private static func sunk(_ name: StaticString, into sinks: Int) -> Workload {
    Workload(name, operations: sinks) {
      let count = Shared(value: 0)
      let tokens = (0..<sinks).map { _ in
        let seen = Seen()
        return count.publisher.sink { seen.value = $0 }
      }
      return { iterations in
        for _ in 0..<iterations { count.withLock { $0 += 1 } }
        _fixLifetime(tokens)
      }
    }
  }

  private static func observed(
    _ name: StaticString, by observers: Int,
    _ makeCount: @autoclosure @escaping @Sendable () -> Shared<Int>
  ) -> Workload {
    Workload(name, operations: observers) {
      let count = makeCount()
      let tokens = (0..<observers).map { _ in
        let seen = Seen()
        return observe { seen.value = count.wrappedValue }
      }
      return { iterations in
        for _ in 0..<iterations { count.withLock { $0 += 1 } }
        _fixLifetime(tokens)
      }
    }
  }
}
