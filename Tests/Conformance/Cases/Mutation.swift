import SharingCore
import WasiStorage

private enum Refusal: Error { case expected }

extension Case {
  static let mutation: [Case] = [
    Case("R5", "withLock returns what its closure returns") { trial in
      @Shared(value: [1, 2, 3]) var numbers
      let last = $numbers.withLock { $0.removeLast() }
      trial.expect(last, equals: 3)
      trial.expect(numbers, equals: [1, 2])
    },
    Case("R5", "one value can be changed inside another's withLock") { trial in
      @Shared(value: 1) var first
      @Shared(value: 2) var second
      $first.withLock { first in $second.withLock { first += $0 } }
      trial.expect(first, equals: 3)
    },
    Case("R6", "a closure that throws keeps what it has changed, observed and saved") { trial in
      @Shared(.localStorage("count")) var count = 0
      let seen = Log()
      let token = observe { seen.append(count) }
      var caught = false
      do throws(Refusal) {
        try $count.withLock { count throws(Refusal) in
          count = 5
          throw .expected
        }
      } catch {
        caught = error == .expected
      }
      trial.expect(caught, "the error is lost")
      trial.expect(count, equals: 5)
      trial.expect(seen.numbers, equals: [0, 5])
      trial.expect(trial.store["count"], equals: "5")
      token.cancel()
    },
    Case("R6", "so does one that throws while it changes an element") { trial in
      @Shared(value: [Item(id: 1), Item(id: 2)]) var items
      var caught = false
      do throws(Refusal) {
        try $items[id: 2]!.withLock { item throws(Refusal) in
          item.number = 5
          throw .expected
        }
      } catch {
        caught = error == .expected
      }
      trial.expect(caught, "the error is lost")
      trial.expect(items[1].number, equals: 5)
    },
    Case("R6", "a batch that throws saves what it has changed") { trial in
      @Shared(.localStorage("count")) var count = 0
      do throws(Refusal) {
        try batch { () throws(Refusal) in
          $count.withLock { $0 = 5 }
          throw .expected
        }
      } catch {}
      trial.expect(trial.store["count"], equals: "5")
    },
    Case("R7", "an observer can read and change the value that woke it") { trial in
      @Shared(value: 0) var count
      let token = observe { if count < 3 { $count.withLock { $0 += 1 } } }
      trial.expect(count, equals: 3)
      token.cancel()
    },
  ]
}
