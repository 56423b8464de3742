import SharingCore
import WasiStorage

private enum Refusal: Error { case expected }

extension Case {
  /// The rules for closures of `withLock`, and for closures that throw.
  static let exclusivity: [Case] = [
    Case("R5", "changes through different wrappers of a key all count") { trial in
      @Shared(.localStorage("count")) var first = 0
      @Shared(.localStorage("count")) var second = 0
      let copy = $first
      for _ in 1...20 {
        $first.withLock { $0 += 1 }
        $second.withLock { $0 += 1 }
        copy.withLock { $0 += 1 }
      }
      trial.expect(first, equals: 60)
      trial.expect(trial.store["count"], equals: "60")
    },
    Case("R5", "changes by observers and by who woke them all count") { trial in
      @Shared(value: 0) var count
      @Shared(value: 0) var rounds
      let token = observe { if rounds > 0 { $count.withLock { $0 += 1 } } }
      for _ in 1...10 {
        batch {
          $rounds.withLock { $0 += 1 }
          $count.withLock { $0 += 1 }
        }
      }
      trial.expect(count, equals: 20)
      token.cancel()
    },
    Case("R5", "a value may be taken out and another put in its place") { trial in
      @Shared(value: [1, 2, 3]) var numbers
      var other = [4]
      $numbers.withLock { swap(&$0, &other) }
      trial.expect(numbers, equals: [4])
      trial.expect(other, equals: [1, 2, 3])
    },
    Case("R5", "values of two programs can be changed inside each other") { trial in
      @Shared(.localStorage("count")) var count = 1
      $count.withLock { count in
        trial.inAnotherProgram {
          @Shared(.localStorage("other")) var other = 2
          $other.withLock { count += $0 }
        }
      }
      trial.expect(count, equals: 3)
      trial.expect(trial.store["count"], equals: "3")
    },
    Case("R6", "after a closure that has thrown a value can be changed again") { trial in
      @Shared(.localStorage("count")) var count = 0
      for _ in 1...3 { refuse(in: $count) { $0 += 1 } }
      $count.withLock { $0 += 1 }
      trial.expect(count, equals: 4)
      trial.expect(trial.store["count"], equals: "4")
    },
    Case("R6", "a closure that throws keeps what it has changed of a part") { trial in
      @Shared(.localStorage("user")) var user = User()
      let seen = Log()
      let token = observe { seen.append($user.age.wrappedValue) }
      refuse(in: $user.age) { $0 = 9 }
      trial.expect(seen.numbers, equals: [1, 9])
      trial.inAnotherProgram {
        @Shared(.localStorage("user")) var user = User()
        trial.expect(user.age, equals: 9)
      }
      token.cancel()
    },
    Case("R6", "closures that throw in a batch are observed once, and written once") { trial in
      @Shared(.localStorage("count")) var count = 0
      let seen = Log()
      let token = observe { seen.append(count) }
      batch { for _ in 1...3 { refuse(in: $count) { $0 += 1 } } }
      trial.expect(seen.numbers, equals: [0, 3])
      trial.expect(trial.store.writeCount, equals: 1)
      token.cancel()
    },
  ]

  /// Changes a value in a closure that then throws.
  private static func refuse(in value: Shared<Int>, after change: (inout Int) -> Void) {
    do throws(Refusal) {
      try value.withLock { number throws(Refusal) in
        change(&number)
        throw .expected
      }
    } catch {}
  }
}
