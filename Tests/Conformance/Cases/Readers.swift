import SharingCore
import WasiStorage

extension Case {
  static let readers: [Case] = [
    Case("R4", "a reader follows the store, and says what could not be read") { trial in
      @SharedReader(.localStorage("count")) var count = 1
      trial.store["count"] = "7"
      trial.store.notify("count")
      trial.expect(count, equals: 7)
      trial.store["count"] = "{damaged"
      trial.store.notify("count")
      let why = $count.loadError.map { reason(of: $0) }
      trial.expect(why == .corrupt(offset: 0), "no error of loading")
    },
    Case("R4", "a reader of a part is woken by its part alone") { trial in
      @Shared(value: User()) var user
      let age = SharedReader($user).age
      let seen = Log()
      let token = observe { seen.append(age.wrappedValue) }
      $user.name.withLock { $0 = "Ada" }
      $user.age.withLock { $0 = 2 }
      trial.expect(seen.numbers, equals: [1, 2])
      token.cancel()
    },
    Case("R4", "a reader computes from what others write") { trial in
      @Shared(value: [1, 2]) var numbers
      let count = SharedReader($numbers).read { $0.count }
      let seen = Log()
      let token = observe { seen.append(count.wrappedValue) }
      $numbers.withLock { $0[0] = 5 }
      $numbers.withLock { $0.append(3) }
      trial.expect(seen.numbers, equals: [2, 3])
      token.cancel()
    },
    Case("R4", "a reader of a collection is a collection of readers") { trial in
      @Shared(value: [1, 2, 3]) var numbers
      let reader = SharedReader($numbers)
      let log = Log()
      for number in reader.elements { log.append(number.wrappedValue) }
      let last = Array(reader.elements).last!
      $numbers[2].withLock { $0 = 30 }
      log.append(last.wrappedValue)
      log.append(reader[0].wrappedValue)
      for number in reader.elements.reversed() { log.append(number.wrappedValue) }
      trial.expect(log.numbers, equals: [1, 2, 3, 30, 1, 30, 2, 1])
    },
    Case("R4", "the elements of what is computed are readers, too") { trial in
      @Shared(value: [1, 2, 3]) var numbers
      let odd = $numbers.read { $0.filter { $0 % 2 == 1 } }
      let seen = Log()
      let token = observe { for number in odd.elements { seen.append(number.wrappedValue) } }
      $numbers.withLock { $0.append(5) }
      trial.expect(seen.numbers, equals: [1, 3, 1, 3, 5])
      token.cancel()
    },
    Case("R8", "a part that is called for its value wakes its observer alone") { trial in
      @Shared(value: User()) var user
      let reader = SharedReader($user)
      let seen = Log()
      let token = observe { seen.append($user.age() + reader.address.number()) }
      $user.name.withLock { $0 = "Ada" }
      $user.age.withLock { $0 = 2 }
      trial.expect(seen.numbers, equals: [2, 3])
      token.cancel()
    },
    Case("R8", "a change of the whole is one of each part; one that is computed may be the same") {
      trial in
      @Shared(value: User()) var user
      let (parts, computed) = (Log(), Log())
      let age = $user.read { $0.age }
      let tokens = [
        observe { parts.append($user.age()) }, observe { computed.append(age.wrappedValue) },
      ]
      $user.withLock { $0.name = "Ada" }
      trial.expect(parts.count, equals: 2)
      trial.expect(computed.count, equals: 1)
      for token in tokens { token.cancel() }
    },
    Case("R4", "readers write nothing, whatever they read") { trial in
      trial.store["count"] = "7"
      let writes = trial.store.writeCount
      @SharedReader(.localStorage("count")) var count = 1
      @SharedReader(.localStorage("missing")) var missing = 2
      $count.load()
      $missing.load()
      trial.expect(count + missing, equals: 9)
      trial.expect(trial.store.writeCount, equals: writes)
      trial.expect(trial.store["missing"], equals: nil)
    },
  ]

  static let environments: [Case] = [
    Case("R22", "values of two environments meet in the store alone") { trial in
      @Shared(.localStorage("count")) var count = 1
      trial.inAnotherProgram {
        @Shared(.localStorage("count")) var count = 2
        trial.expect(count, equals: 2)
        $count.withLock { $0 = 5 }
      }
      trial.expect(count, equals: 1)
      trial.store.notify("count")
      trial.expect(count, equals: 5)
    },
    Case("R22", "issues are told to the environment in which they arise") { trial in
      let inner = SharingEnvironment()
      let heard = Log()
      inner.onIssue = { _ in heard.append(1) }
      inner.run {
        @Shared(.inMemory("value")) var number = 1
        @Shared(.inMemory("value")) var text = "a"
        trial.expect(number == 1 && text == "a", "they are shared")
      }
      trial.expect(heard.numbers, equals: [1])
      trial.expect(trial.issues.count, equals: 0)
    },
    Case("R22", "an environment has one object of each class") { trial in
      let made = Log()
      for _ in 1...2 {
        trial.environment.object { Kept(made) }.number += 10
        trial.environment.object { OtherKept() }.number += 1
      }
      trial.expect(trial.environment.object { Kept(made) }.number, equals: 20)
      trial.expect(trial.environment.object { OtherKept() }.number, equals: 7)
      trial.expect(SharingEnvironment().object { Kept(made) }.number, equals: 0)
      trial.expect(made.count, equals: 2)
    },
    Case("R22", "a value in memory ends with its environment") { trial in
      for _ in 1...2 {
        SharingEnvironment().run {
          @Shared(.inMemory("count")) var count = 0
          $count.withLock { $0 += 1 }
          trial.expect(count, equals: 1)
        }
      }
    },
  ]
}

/// An object of an environment; it logs that it was made.
private final class Kept {
  var number = 0

  init(_ made: Log) { made.append(1) }
}

private final class OtherKept {
  var number = 5
}
