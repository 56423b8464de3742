import SharingCore

extension Workload {
  /// One value, and those who observe it. The time is that of a set with no observer or one, and of
  /// one observer where there are 10,000.
  public static let observers = [
    sets("set, value:, no observer", Shared(value: 0), observers: 0),
    sets("set, value:, 1 observer", Shared(value: 0), observers: 1),
    sets("set, value:, per observer of 10,000", Shared(value: 0), observers: 10_000),
    sets(
      "set, .inMemory, no observer", Shared(wrappedValue: 0, .inMemory("no observer")), observers: 0
    ),
    sets(
      "set, .inMemory, 1 observer", Shared(wrappedValue: 0, .inMemory("1 observer")), observers: 1),
    sets(
      "set, .inMemory, per observer of 10,000",
      Shared(wrappedValue: 0, .inMemory("10,000 observers")), observers: 10_000),
  ]
}

private func sets(
  _ name: StaticString, _ makeCount: @autoclosure @escaping @Sendable () -> Shared<Int>,
  observers: Int
) -> Workload {
  Workload(name, operations: max(1, observers)) {
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
