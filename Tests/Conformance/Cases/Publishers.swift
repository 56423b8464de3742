import SharingCore
import WasiStorage

extension Case {
  static let publishers: [Case] = [
    Case("R8", "a publisher tells the value at once and after each change") { trial in
      @Shared(value: 1) var count
      @Shared(value: 10) var other
      let seen = Log()
      var tokens: Set<ObservationToken> = []
      $count.publisher.sink { seen.append($0 + other) }.store(in: &tokens)
      $count.withLock { $0 = 2 }
      $other.withLock { $0 = 20 }
      trial.expect(seen.numbers, equals: [11, 12])
      tokens.removeAll()
      $count.withLock { $0 = 3 }
      trial.expect(seen.numbers, equals: [11, 12])
    },
    Case("R8", "a publisher tells no value twice in a row that can be compared") { trial in
      @Shared(.inMemory("first")) var count = 5
      @Shared(.inMemory("second")) var second = 5
      let seen = Log()
      let token = $count.publisher.sink { seen.append($0) }
      $count.load(.inMemory("second"))
      $count.withLock { $0 = 5 }
      $second.withLock { $0 = 6 }
      $second.withLock { $0 = 5 }
      trial.expect(seen.numbers, equals: [5, 6, 5])
      token.cancel()
    },
    Case("R8", "what a publisher's values read when they are compared does not matter") { trial in
      let limit = Shared(value: 10)
      let count = Shared(value: Limited(number: 1, limit: limit))
      let seen = Log()
      let token = count.publisher.sink { seen.append($0.number) }
      count.withLock { $0.number = 20 }
      count.withLock { $0.number = 30 }  // equals the limit, which was sent before
      limit.withLock { $0 = 100 }
      trial.expect(seen.numbers, equals: [1, 20])
      count.withLock { $0.number = 40 }
      trial.expect(seen.numbers, equals: [1, 20, 40])
      token.cancel()
    },
    Case("R8", "an observer that subscribes to a publisher hears of what it reads after that") {
      trial in
      @Shared(value: 1) var count
      @Shared(value: 10) var other
      let (told, seen) = (Log(), Log())
      var subscription: ObservationToken?
      let token = observe {
        if subscription == nil { subscription = $count.publisher.sink { told.append($0) } }
        seen.append(other)
      }
      $count.withLock { $0 = 2 }
      $other.withLock { $0 = 20 }
      trial.expect(told.numbers, equals: [1, 2])
      trial.expect(seen.numbers, equals: [10, 20])
      subscription?.cancel()
      token.cancel()
    },
    Case("R8", "a publisher of what is computed hears of all that it is computed from") { trial in
      let (usesOther, other) = (Shared(value: false), Shared(value: 1))
      let computed = usesOther.read { usesOther in
        let number = usesOther ? other.wrappedValue : 0
        return Closure { number }
      }
      let seen = Log()
      let token = computed.publisher.sink { seen.append($0.call()) }
      usesOther.withLock { $0 = true }
      other.withLock { $0 = 2 }
      trial.expect(seen.numbers, equals: [0, 1, 2])
      token.cancel()
    },
    Case("R8", "a publisher follows its wrapper however often it has told before") { trial in
      @Shared(.inMemory("first")) var count = 1
      @Shared(.inMemory("first")) var first = 1
      @Shared(.inMemory("second")) var second = 10
      let seen = Log()
      let token = $count.publisher.sink { seen.append($0) }
      $count.withLock { $0 = 2 }
      $count.load(.inMemory("second"))
      $first.withLock { $0 = 3 }
      $second.withLock { $0 = 11 }
      $second.withLock { $0 = 12 }
      trial.expect(seen.numbers, equals: [1, 2, 10, 11, 12])
      token.cancel()
    },
    Case("R8", "so it does where its wrapper follows another one") { trial in
      @Shared(.inMemory("first user")) var user = User(age: 1)
      @Shared(.inMemory("second user")) var second = User(age: 10)
      let seen = Log()
      let token = $user.reader.publisher.sink { seen.append($0.age) }
      $user.age.withLock { $0 = 2 }
      $user.load(.inMemory("second user"))
      for number in 11...12 { $second.age.withLock { $0 = number } }
      trial.expect(seen.numbers, equals: [1, 2, 10, 11, 12])
      token.cancel()
    },
    Case("R8", "a publisher tells what cannot be compared after each turn that sets it") { trial in
      @Shared(value: Closure { 1 }) var closure
      let seen = Log()
      let token = $closure.publisher.sink { seen.append($0.call()) }
      $closure.withLock { $0 = Closure { 1 } }
      batch {
        $closure.withLock { $0 = Closure { 2 } }
        $closure.withLock { $0 = Closure { 3 } }
      }
      trial.expect(seen.numbers, equals: [1, 1, 3])
      token.cancel()
    },
    Case("R8", "a publisher tells once what its values have in common") { trial in
      @Shared(value: 1) var count
      let seen = Log()
      let token = $count.read { $0 / 10 }.publisher.sink { seen.append($0) }
      $count.withLock { $0 = 2 }
      $count.withLock { $0 = 10 }
      $count.withLock { $0 = 20 }
      trial.expect(seen.numbers, equals: [0, 1, 2])
      token.cancel()
    },
  ]
}

/// A value that cannot be compared.
private struct Closure: Sendable {
  let call: @Sendable () -> Int
}

/// A number that counts only up to a limit.
private struct Limited: Equatable {
  var number: Int
  let limit: Shared<Int>

  static func == (left: Self, right: Self) -> Bool { left.limited == right.limited }

  private var limited: Int { min(number, limit.wrappedValue) }
}
