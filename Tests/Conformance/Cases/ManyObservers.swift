import SharingCore

/// Several observers of one value, or of overlapping parts of it.
let manyObservers: [Case] = [
  Case("R8", "observers of one value may end in any order, and the others go on") { trial in
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1], [0, 2, 1, 3]] {
      let count = Shared(value: 0)
      let seen = Log()
      let tokens = (0..<4).map { number in observe { seen.append(number + 0 * count.wrappedValue) }
      }
      for (ended, number) in order.enumerated() {
        tokens[number].cancel()
        let before = seen.count
        count.withLock { $0 += 1 }
        trial.expect(seen.numbers[before...].sorted(), equals: order[(ended + 1)...].sorted())
      }
    }
  },
  Case(
    "R8", "where one of them changes the value again, the others see that, and none runs too often"
  ) { trial in
    let count = Shared(value: 0)
    let seen = Log()
    let tokens = (1...3).map { number in
      observe {
        seen.append(10 * number + count.wrappedValue)
        if number == 2, count.wrappedValue == 1 { count.withLock { $0 = 2 } }
      }
    }
    count.withLock { $0 = 1 }
    trial.expect(seen.numbers, equals: [10, 20, 30, 11, 21, 22, 32, 12])
    for token in tokens { token.cancel() }
  },
  Case("R8", "where one of them ends or begins others, the rest run once and keep their order") {
    trial in
    let count = Shared(value: 0)
    let seen = Log()
    let tokens = Tokens()
    for number in 0..<6 {
      tokens.add(
        observe {
          seen.append(count.wrappedValue == 0 ? 0 : number)
          if number == 1, count.wrappedValue == 1 {
            tokens.cancel(0)
            tokens.cancel(3)
            tokens.add(observe { seen.append(10 + count.wrappedValue) })
          }
        })
    }
    count.withLock { $0 = 1 }
    trial.expect(seen.numbers, equals: [0, 0, 0, 0, 0, 0, 0, 1, 11, 2, 4, 5])
    count.withLock { $0 = 2 }
    trial.expect(seen.numbers[12...].sorted(), equals: [1, 2, 4, 5, 12])
    tokens.removeAll()
  },
  Case("R8", "one that reads the value through two wrappers, or another value, too, runs once") {
    trial in
    let (first, second) = (
      Shared(wrappedValue: 0, .inMemory("read twice")),
      Shared(wrappedValue: 0, .inMemory("read twice"))
    )
    let other = Shared(value: 0)
    let seen = Log()
    let tokens = [
      observe { seen.append(10 + first.wrappedValue) },
      observe { seen.append(20 + first.wrappedValue + second.wrappedValue) },
      observe { seen.append(30 + first.wrappedValue + other.wrappedValue) },
      observe { seen.append(40 + first.wrappedValue) },
    ]
    second.withLock { $0 = 1 }
    trial.expect(seen.numbers[4...].sorted(), equals: [11, 22, 31, 41])
    batch {
      other.withLock { $0 = 2 }
      first.withLock { $0 = 2 }
    }
    trial.expect(seen.numbers[8...].sorted(), equals: [12, 24, 34, 42])
    for token in tokens { token.cancel() }
  },
  Case("R8", "of those that observe one value, only the one that never settles is reported") {
    trial in
    let count = Shared(value: 0)
    let seen = Log()
    let tokens = [
      observe { seen.append(count.wrappedValue) },
      observe { if count.wrappedValue > 0 { count.withLock { $0 += 1 } } },
      observe { seen.append(count.wrappedValue) },
    ]
    count.withLock { $0 = 1 }
    trial.expect(trial.issues.count, equals: 1)
    trial.expect(seen.numbers.suffix(2).sorted(), equals: [count.wrappedValue, count.wrappedValue])
    for token in tokens { token.cancel() }
  },
  Case("R8", "so they may where each has found an element, whose name they have not read") {
    trial in
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
      let items = Shared(value: [Item(id: 1)])
      let seen = Log()
      let tokens = (0..<4).map { number in
        observe { seen.append(items[id: 1] == nil ? -number : number) }
      }
      tokens[order[0]].cancel()
      tokens[order[1]].cancel()
      items.withLock { $0 = [] }
      trial.expect(seen.numbers[4...].sorted(), equals: order[2...].map { -$0 }.sorted())
      for token in tokens { token.cancel() }
    }
  },
  Case("R8", "each element wakes its own observers, in whatever order they came, and no others") {
    trial in
    let items = Shared(value: (1...5).map { Item(id: $0) })
    let seen = Log()
    let tokens = [3, 1, 5, 2, 4, 1, 3, 5].map { id in
      observe { seen.append(id + 0 * items[id: id]!.title.wrappedValue.utf8.count) }
    }
    for (id, expected) in [(1, [1, 1]), (2, [2]), (3, [3, 3]), (4, [4]), (5, [5, 5])] {
      let before = seen.count
      items[id: id]!.title.withLock { $0 = "new" }
      trial.expect(seen.numbers[before...].sorted(), equals: expected)
    }
    for token in tokens { token.cancel() }
  },
  Case(
    "R8", "who reads a part and then the whole, by wrappers made in passing, is woken for all of it"
  ) {
    trial in
    let readsAll = Shared(value: false)
    let seen = Log()
    let token = observe {
      let user = Shared(wrappedValue: User(), .inMemory("user read in passing"))
      seen.append(readsAll.wrappedValue ? user.wrappedValue.age : user.name.wrappedValue.utf8.count)
    }
    readsAll.withLock { $0 = true }
    let user = Shared(wrappedValue: User(), .inMemory("user read in passing"))
    user.age.withLock { $0 = 36 }
    trial.expect(seen.numbers, equals: [4, 1, 36])
    token.cancel()
  },
  Case("R8", "each field wakes its own observers, those of what contains it, and no others") {
    trial in
    let user = Shared(value: User())
    let seen = Log()
    let tokens = [
      observe { seen.append(1 + 0 * user.name.wrappedValue.utf8.count) },
      observe { seen.append(2 + 0 * user.age.wrappedValue) },
      observe { seen.append(3 + 0 * user.address.wrappedValue.number) },
      observe { seen.append(4 + 0 * user.address.street.wrappedValue.utf8.count) },
      observe { seen.append(5 + 0 * user.address.number.wrappedValue) },
      observe { seen.append(6 + 0 * user.scores.wrappedValue.count) },
    ]
    let changes: [(() -> Void, [Int])] = [
      ({ user.name.withLock { $0 = "Ada" } }, [1]),
      ({ user.age.withLock { $0 = 36 } }, [2]),
      ({ user.address.withLock { $0.number = 7 } }, [3, 4, 5]),
      ({ user.address.street.withLock { $0 = "Side" } }, [3, 4]),
      ({ user.address.number.withLock { $0 = 8 } }, [3, 5]),
      ({ user.scores.withLock { $0 = [1] } }, [6]),
      ({ user.withLock { $0 = User() } }, [1, 2, 3, 4, 5, 6]),
    ]
    for (change, expected) in changes {
      let before = seen.count
      change()
      trial.expect(seen.numbers[before...].sorted(), equals: expected)
    }
    for token in tokens { token.cancel() }
  },
  Case("R8", "those who follow a list's elements may end in any order, too") { trial in
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
      let items = Shared(value: [Item(id: 1), Item(id: 2)])
      let seen = Log()
      var tokens = (0..<3).map { number in
        items.observeElements { _, changes in
          if changes == .changed([1]) { seen.append(number) }
        } as ObservationToken?
      }
      for (ended, number) in order.enumerated() {
        tokens[number] = nil
        let before = seen.count
        items[id: 2]!.number.withLock { $0 += 1 }
        trial.expect(seen.numbers[before...].sorted(), equals: order[(ended + 1)...].sorted())
      }
    }
  },
  Case("R8", "an observer that reads another element than before follows that one") { trial in
    let items = Shared(value: [Item(id: 1), Item(id: 2)])
    let others = Shared(value: [Item(id: 1, number: 20), Item(id: 2, number: 30)])
    let (index, usesOthers) = (Shared(value: 0), Shared(value: false))
    let seen = Log()
    let token = observe {
      let (index, usesOthers) = (index.wrappedValue, usesOthers.wrappedValue)
      seen.append((usesOthers ? others : items)[index].number.wrappedValue)
    }
    index.withLock { $0 = 1 }
    items[0].number.withLock { $0 = 5 }
    trial.expect(seen.numbers, equals: [0, 0])
    items[1].number.withLock { $0 = 6 }
    trial.expect(seen.numbers, equals: [0, 0, 6])
    usesOthers.withLock { $0 = true }
    items[1].number.withLock { $0 = 7 }
    others[1].number.withLock { $0 = 31 }
    trial.expect(seen.numbers, equals: [0, 0, 6, 30, 31])
    token.cancel()
  },
]

/// Tokens that a case's observers may modify.
private final class Tokens: @unchecked Sendable {
  private var tokens: [ObservationToken] = []

  func add(_ token: ObservationToken) { tokens.append(token) }
  func cancel(_ index: Int) { tokens[index].cancel() }
  func removeAll() { tokens.removeAll() }
}
