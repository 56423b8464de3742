import SharingCore
import WasiStorage

extension Case {
  /// Combinations of several features.
  static let corners: [Case] = [
    Case("R2", "observers follow a reader that is pointed elsewhere after its base was") { trial in
      @Shared(value: 1) var count
      let reader = $count.reader
      $count = Shared(value: 2)
      let seen = Log()
      let token = observe { seen.append(reader.wrappedValue) }
      let third = Shared(value: 3)
      reader.projectedValue = SharedReader(third)
      third.withLock { $0 = 4 }
      trial.expect(seen.numbers, equals: [2, 3, 4])
      token.cancel()
    },
    Case("R2", "observers follow a wrapper that was made in an observer and is pointed elsewhere") {
      trial in
      let seen = Log()
      let kept = Kept<Shared<Int>>()
      let token = observe { seen.append(kept.value(or: Shared(value: 1)).wrappedValue) }
      let second = Shared(value: 2)
      kept.value?.projectedValue = second
      second.withLock { $0 = 3 }
      trial.expect(seen.numbers, equals: [1, 2, 3])
      token.cancel()
    },
    Case("R2", "observers follow a part that was derived in an observer and is pointed elsewhere") {
      trial in
      @Shared(value: User()) var user
      let seen = Log()
      let kept = Kept<Shared<Address>>()
      let token = observe { seen.append(kept.value(or: $user.address).number.wrappedValue) }
      let second = Shared(value: Address(street: "Side", number: 2))
      kept.value?.projectedValue = second
      second.number.withLock { $0 = 3 }
      trial.expect(seen.numbers, equals: [1, 2, 3])
      token.cancel()
    },
    Case("R2", "observers follow a reader that was made in an observer and is pointed elsewhere") {
      trial in
      @Shared(value: 1) var count
      let seen = Log()
      let kept = Kept<SharedReader<Int>>()
      let token = observe { seen.append(kept.value(or: $count.reader).wrappedValue) }
      let second = Shared(value: 2)
      kept.value?.projectedValue = SharedReader(second)
      second.withLock { $0 = 3 }
      trial.expect(seen.numbers, equals: [1, 2, 3])
      token.cancel()
    },
    Case("R8", "an element that goes between being found and being read is noticed") { trial in
      @Shared(value: [Item(id: 1, number: 7)]) var items
      let seen = Log()
      let token = observe {
        let item = $items[id: 1]
        if seen.numbers.isEmpty { $items.withLock { $0 = [] } }
        seen.append(item?.number.wrappedValue ?? -1)
      }
      trial.expect(seen.numbers.last ?? 0, equals: -1)
      $items.withLock { $0 = [Item(id: 1, number: 8)] }
      trial.expect(seen.numbers.last ?? 0, equals: 8)
      token.cancel()
    },
    Case("R8", "an optional that becomes nil between being found and being read is noticed") {
      trial in
      @Shared(value: Item(id: 1, number: 7)) var item: Item?
      let seen = Log()
      let token = observe {
        let found = Shared($item)
        if seen.numbers.isEmpty { $item.withLock { $0 = nil } }
        seen.append(found?.number.wrappedValue ?? -1)
      }
      trial.expect(seen.numbers.last ?? 0, equals: -1)
      token.cancel()
    },
    Case(
      "R8", "an observer that only asks whether an element is there hears when it comes and goes"
    ) {
      trial in
      @Shared(value: [Item(id: 1), Item(id: 2)]) var items
      let seen = Log()
      let token = observe { seen.append($items[id: 1] == nil ? 0 : 1) }
      $items.withLock { _ = $0.removeFirst() }
      trial.expect(seen.numbers, equals: [1, 0])
      $items.withLock { $0.append(Item(id: 1)) }
      trial.expect(seen.numbers, equals: [1, 0, 1])
      $items[id: 1]?.number.withLock { $0 += 1 }
      $items[id: 2]?.number.withLock { $0 += 1 }
      trial.expect(seen.numbers, equals: [1, 0, 1])
      token.cancel()
    },
    Case("R8", "an observer that only asks whether an optional has a value hears when that changes")
    {
      trial in
      @Shared(value: Item(id: 1)) var item: Item?
      let seen = Log()
      let token = observe { seen.append(SharedReader($item) == nil ? 0 : 1) }
      $item.withLock { $0 = nil }
      $item.withLock { $0 = Item(id: 2) }
      trial.expect(seen.numbers, equals: [1, 0, 1])
      Shared($item)?.number.withLock { $0 += 1 }
      trial.expect(seen.numbers, equals: [1, 0, 1])
      token.cancel()
    },
    Case("R9", "a computation may read other values, and what it reads next is observed") { trial in
      @Shared(value: false) var usesOther
      let gate = Shared(value: true)
      let other = Shared(value: 1)
      let computed = $usesOther.read {
        $0 ? other.wrappedValue : gate.wrappedValue ? 1 : other.wrappedValue
      }
      let seen = Log()
      let token = observe { seen.append(computed.wrappedValue) }
      gate.withLock { $0 = false }
      other.withLock { $0 = 2 }
      trial.expect(seen.numbers.last ?? 0, equals: 2)
      gate.withLock { $0 = true }
      other.withLock { $0 = 1 }
      $usesOther.withLock { $0 = true }
      other.withLock { $0 = 3 }
      trial.expect(seen.numbers.last ?? 0, equals: 3)
      token.cancel()
    },
    Case("R9", "results that an observer has stopped reading are not compared any more") { trial in
      let (first, second, isSecond) = (Shared(value: 1), Shared(value: 1), Shared(value: false))
      let isFirstOdd = first.read { $0 % 2 == 1 }
      let isSecondLarge = second.read { $0 > 100 }
      let seen = Log()
      let token = observe {
        let isShown = (isSecond.wrappedValue ? isSecondLarge : isFirstOdd).wrappedValue
        seen.append(isShown ? 1 : 0)
      }
      batch {
        first.withLock { $0 = 2 }
        isSecond.withLock { $0 = true }
      }
      for number in 2...5 { second.withLock { $0 = number } }
      trial.expect(seen.numbers, equals: [1, 0])
      second.withLock { $0 = 200 }
      trial.expect(seen.numbers, equals: [1, 0, 1])
      token.cancel()
    },
    Case("R9", "nor are those that a run has stopped reading after it has changed their base") {
      trial in
      let (number, isChanging) = (Shared(value: 1), Shared(value: false))
      let isOdd = number.read { $0 % 2 == 1 }
      let runs = Log()
      let token = observe {
        runs.append(1)
        if isChanging.wrappedValue {
          number.withLock { $0 += 1 }
        } else {
          _ = isOdd.wrappedValue
        }
      }
      isChanging.withLock { $0 = true }
      trial.expect(runs.numbers, equals: [1, 1])
      token.cancel()
    },
    Case("R9", "a result is not compared again when the base of another one changes") { trial in
      let (first, second) = (Shared(value: 1), Shared(value: 1))
      let computed = Log()
      let results = [first, second].map { base in
        base.read { number -> Bool in
          computed.append(number)
          return number > 0
        }
      }
      let token = observe { for result in results { _ = result.wrappedValue } }
      first.withLock { $0 = 2 }
      second.withLock { $0 = 3 }
      first.withLock { $0 = 4 }
      trial.expect(computed.numbers, equals: [1, 1, 2, 3, 4])
      token.cancel()
    },
    Case("R9", "a result is compared once per turn, however often its base has changed") { trial in
      @Shared(value: 1) var count
      let computed = Log()
      let isPositive = $count.read { count -> Bool in
        computed.append(count)
        return count > 0
      }
      let token = observe { _ = isPositive.wrappedValue }
      batch { for _ in 1...3 { $count.withLock { $0 += 1 } } }
      trial.expect(computed.numbers, equals: [1, 4])
      token.cancel()
    },
    Case("R8", "who has asked for an element that was not there is told when it comes") { trial in
      @Shared(value: [Item]()) var items
      let seen = Log()
      let token = observe { seen.append($items[id: 1]?.number.wrappedValue ?? -1) }
      $items.withLock { $0 = [Item(id: 1, number: 5)] }
      $items[id: 1]?.number.withLock { $0 = 6 }
      $items.withLock { $0 = [] }
      trial.expect(seen.numbers.prefix(3) + [], equals: [-1, 5, 6])
      token.cancel()
    },
    Case("R8", "who has asked for the value of an optional that had none is told when it comes") {
      trial in
      @Shared(value: nil) var number: Int?
      let seen = Log()
      let token = observe { seen.append(Shared($number)?.wrappedValue ?? -1) }
      $number.withLock { $0 = 5 }
      trial.expect(seen.numbers, equals: [-1, 5])
      token.cancel()
    },
    Case("R8", "a stored property of a collection contains its elements") { trial in
      @Shared(value: Playlist()) var list
      let seen = Log()
      let token = observe { seen.append($list.songs.wrappedValue[0]) }
      $list[0].withLock { $0 = 7 }
      $list.songs.withLock { $0[0] = 8 }
      trial.expect(seen.numbers, equals: [1, 7, 8])
      token.cancel()
    },
  ]
}

/// A value that is created once and kept.
private final class Kept<Value> {
  private(set) var value: Value?

  func value(or made: @autoclosure () -> Value) -> Value {
    if value == nil { value = made() }
    return value!
  }
}

/// A collection with stored properties.
private struct Playlist: RandomAccessCollection, MutableCollection {
  var songs = [1, 2, 3]

  var startIndex: Int { 0 }
  var endIndex: Int { songs.count }

  subscript(position: Int) -> Int {
    get { songs[position] }
    set { songs[position] = newValue }
  }
}
