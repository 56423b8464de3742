import SharingCore
import WasiStorage

extension Case {
  static let observation: [Case] = [
    Case("R8", "an observer runs at once and after every change") { trial in
      @Shared(value: 0) var count
      let seen = Log()
      let token = observe { seen.append(count) }
      $count.withLock { $0 = 1 }
      $count.withLock { $0 = 2 }
      trial.expect(seen.numbers, equals: [0, 1, 2])
      token.cancel()
    },
    Case("R8", "an observer runs once per batch") { trial in
      @Shared(value: 0) var first
      @Shared(value: 0) var second
      let seen = Log()
      let token = observe { seen.append(first * 10 + second) }
      batch {
        $first.withLock { $0 = 1 }
        batch { $second.withLock { $0 = 2 } }
        $first.withLock { $0 = 3 }
      }
      trial.expect(seen.numbers, equals: [0, 32])
      token.cancel()
    },
    Case("R8", "an observer that reads twice runs once") { trial in
      @Shared(value: 1) var count
      let seen = Log()
      let token = observe { seen.append(count + count) }
      $count.withLock { $0 = 2 }
      trial.expect(seen.numbers, equals: [2, 4])
      token.cancel()
    },
    Case("R8", "an observer of a part is not woken by its siblings") { trial in
      @Shared(value: User()) var user
      let ages = Log()
      let token = observe { ages.append($user.age.wrappedValue) }
      $user.name.withLock { $0 = "Ada" }
      $user.address.number.withLock { $0 = 4 }
      $user.age.withLock { $0 = 2 }
      trial.expect(ages.numbers, equals: [1, 2])
      token.cancel()
    },
    Case("R8", "an observer of the whole is woken by every part") { trial in
      @Shared(value: User()) var user
      let seen = Log()
      let token = observe { seen.append(user.age + user.address.number) }
      $user.age.withLock { $0 = 2 }
      $user.address.number.withLock { $0 = 10 }
      trial.expect(seen.numbers, equals: [2, 3, 12])
      token.cancel()
    },
    Case("R8", "an observer of a part is woken by the whole and by what contains the part") {
      trial in
      @Shared(value: User()) var user
      let seen = Log()
      let token = observe { seen.append($user.address.number.wrappedValue) }
      $user.withLock { $0.address.number = 2 }
      $user.address.withLock { $0.number = 3 }
      $user.address.street.withLock { $0 = "Side" }
      trial.expect(seen.numbers, equals: [1, 2, 3])
      token.cancel()
    },
    Case("R8", "an observer follows what its last run has read") { trial in
      @Shared(value: true) var usesFirst
      @Shared(value: 1) var first
      @Shared(value: 2) var second
      let seen = Log()
      let token = observe { seen.append(usesFirst ? first : second) }
      $second.withLock { $0 = 20 }
      $usesFirst.withLock { $0 = false }
      $first.withLock { $0 = 10 }
      $second.withLock { $0 = 21 }
      trial.expect(seen.numbers, equals: [1, 20, 21])
      token.cancel()
    },
    Case("R8", "cancelling a token ends its observer") { trial in
      @Shared(value: 0) var count
      let seen = Log()
      let token = observe { seen.append(count) }
      token.cancel()
      $count.withLock { $0 = 1 }
      trial.expect(seen.numbers, equals: [0])
    },
    Case("R8", "dropping a token ends its observer") { trial in
      @Shared(value: 0) var count
      let seen = Log()
      var token: ObservationToken? = observe { seen.append(count) }
      trial.expect(token != nil, "no token")
      token = nil
      $count.withLock { $0 = 1 }
      trial.expect(seen.numbers, equals: [0])
    },
    Case("R8", "an observer may end another one that waits") { trial in
      @Shared(value: 0) var count
      let seen = Log()
      let tokens = Tokens()
      tokens.add(observe { if count == 1 { tokens.removeLast() } })
      tokens.add(observe { seen.append(count) })
      $count.withLock { $0 = 1 }
      trial.expect(seen.numbers, equals: [0])
      tokens.removeAll()
    },
    Case("R8", "an observer may end itself while it runs, and read on") { trial in
      @Shared(value: 0) var count
      @Shared(value: 0) var other
      let seen = Log()
      let tokens = Tokens()
      tokens.add(
        observe {
          if count == 1 { tokens.removeAll() }
          seen.append(count + other)
        })
      $count.withLock { $0 = 1 }
      $count.withLock { $0 = 2 }
      $other.withLock { $0 = 5 }
      trial.expect(seen.numbers, equals: [0, 1])
    },
    Case("R8", "an observer may begin another one") { trial in
      @Shared(value: 0) var count
      let seen = Log()
      let tokens = Tokens()
      tokens.add(observe { if count == 1 { tokens.add(observe { seen.append(count) }) } })
      $count.withLock { $0 = 1 }
      $count.withLock { $0 = 2 }
      trial.expect(seen.numbers, equals: [1, 2])
      tokens.removeAll()
    },
    Case("R8", "observers that never settle are reported and left alone") { trial in
      @Shared(value: 0) var count
      let token = observe { if count > 0 { $count.withLock { $0 += 1 } } }
      $count.withLock { $0 = 1 }
      trial.expect(trial.issues.count, equals: 1)
      trial.expect(trial.issues.first?.utf8.count ?? 0 > 40, "the issue says nothing")
      trial.expect(count, equals: 101)
      token.cancel()
    },
    Case("R8", "an observer that never settles from its first run on is reported") { trial in
      @Shared(value: 0) var count
      let token = observe { if count < 1000 { $count.withLock { $0 += 1 } } }
      trial.expect(trial.issues.count, equals: 1)
      trial.expect(count, equals: 100)
      token.cancel()
    },
    Case("R8", "an observer that was left alone runs again in the next turn") { trial in
      @Shared(value: 0) var count
      @Shared(value: 0) var other
      let runs = Log()
      let token = observe {
        runs.append(other)
        if count > 0 && other == 0 { $count.withLock { $0 += 1 } }
      }
      $count.withLock { $0 = 1 }
      trial.expect(trial.issues.count, equals: 1)
      let before = runs.count
      $other.withLock { $0 = 1 }
      trial.expect(runs.count, equals: before + 1)
      token.cancel()
    },
    Case("R8", "a wrapper that is pointed elsewhere wakes its observers, and only those") { trial in
      @Shared(.inMemory("first")) var count = 1
      @Shared(.inMemory("first")) var bystander = 1
      let seen = Log()
      let bystanderRuns = Log()
      let token = observe { seen.append(count) }
      let otherToken = observe { bystanderRuns.append(bystander) }
      $count = Shared(wrappedValue: 2, .inMemory("second"))
      $count.withLock { $0 = 3 }
      trial.expect(seen.numbers, equals: [1, 2, 3])
      trial.expect(bystanderRuns.numbers, equals: [1])
      token.cancel()
      otherToken.cancel()
    },
    Case("R8", "pointing a wrapper elsewhere wakes who has derived from it") { trial in
      @Shared(value: User()) var user
      let seen = Log()
      let token = observe { seen.append($user.address.number.wrappedValue) }
      $user = Shared(value: User(address: Address(number: 2)))
      $user.address.number.withLock { $0 = 3 }
      trial.expect(seen.numbers, equals: [1, 2, 3])
      token.cancel()
    },
    Case("R8", "pointing a wrapper elsewhere wakes who has asked for its errors") { trial in
      trial.store["broken"] = "{"
      @Shared(.localStorage("fine")) var count = 0
      let seen = Log()
      let token = observe { seen.append($count.loadError == nil ? 0 : 1) }
      $count = Shared(wrappedValue: 0, .localStorage("broken"))
      trial.expect(seen.numbers, equals: [0, 1])
      token.cancel()
    },
    Case("R10", "loading and saving errors are observed like values") { trial in
      @Shared(.localStorage("count")) var count = 0
      let errors = Log()
      let token = observe { errors.append($count.saveError == nil ? 0 : 1) }
      trial.store.failure = .quotaExceeded
      $count.withLock { $0 = 1 }
      trial.store.failure = nil
      $count.withLock { $0 = 2 }
      trial.expect(errors.numbers, equals: [0, 1, 0])
      token.cancel()
    },
    Case("R9", "a value that changes while a result of it is computed wakes its observers again") {
      trial in
      let count = Shared(value: 0)
      let (seen, computed) = (Log(), Log())
      let same = count.read { value in
        // The first evaluation checks for a change, the second one reads the value.
        if value == 1 { computed.append(value) }
        if value == 1, computed.count == 2 { count.withLock { $0 = 2 } }
        return value
      }
      let token = observe { seen.append(same.wrappedValue) }
      count.withLock { $0 = 1 }
      trial.expect(seen.numbers.last ?? 0, equals: 2)
      token.cancel()
    },
    Case("R8", "an observer that is ended while objects of the turn are freed does not run") {
      trial in
      let route = Shared(value: 0)
      let ended = Shared(value: 0)
      let runs = Log()
      let memory = Memory()
      let (screens, others) = (Tokens(), Tokens())
      screens.add(observe { runs.append(route.wrappedValue) })
      // Freed after the screen's observer. Its memory must not be taken for that of an observer.
      screens.add(observeEnd(of: ended) { memory.fill() })
      others.add(
        observeEnd(of: ended) {
          route.withLock { $0 = 1 }
          screens.removeAll()
        })
      batch { others.removeAll() }
      trial.expect(runs.numbers, equals: [0])
      trial.expect(memory.isFilled, "the objects of the turn are not freed")
    },
  ]
}

/// Observes a value, and calls a closure when the observer is freed.
private func observeEnd(of value: Shared<Int>, _ body: @escaping () -> Void) -> ObservationToken {
  let ending = Ending(body)
  return observe { _ = (value.wrappedValue, ending) }
}

/// Calls a closure when it is freed.
private final class Ending: @unchecked Sendable {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }
  deinit { body() }
}

/// Takes memory that has just been freed, and fills it.
private final class Memory: @unchecked Sendable {
  private var blocks: [[UInt8]] = []

  var isFilled: Bool { !blocks.isEmpty }

  func fill() {
    for size in stride(from: 24, to: 200, by: 4) {
      for _ in 0..<8 { blocks.append([UInt8](repeating: 1, count: size)) }
    }
  }
}

/// Tokens that a case's observers may modify.
private final class Tokens: @unchecked Sendable {
  private var tokens: [ObservationToken] = []

  func add(_ token: ObservationToken) { tokens.append(token) }
  func removeLast() { tokens.removeLast() }
  func removeAll() { tokens.removeAll() }
}
