import SharingCore
import WasiStorage

/// Elements are added and removed one by one, and only the affected observers run.
let elementEdits: [Case] = [
  Case("R3", "an element is appended, and one is removed by its id") { trial in
    let items = Shared(value: [Item(id: 1), Item(id: 2)])
    items.append(Item(id: 3, number: 30))
    trial.expect(items.wrappedValue.last?.number ?? 0, equals: 30)
    trial.expect(items.remove(id: 1)?.id ?? 0, equals: 1)
    trial.expect(items.remove(id: 9) == nil, "an element that was not there was removed")
    trial.expect(items.wrappedValue == [Item(id: 2), Item(id: 3, number: 30)], "the rest")
  },
  Case("R3", "an element without an id is appended, and the others' observers do not run") {
    trial in
    @Shared(.localStorage("numbers")) var numbers = [10, 20]
    let (lists, firsts, changes) = (Log(), Log(), Log())
    let tokens = [
      observe { lists.append(numbers.count) },
      observe { firsts.append($numbers[0].wrappedValue) },
      $numbers.observeElements { elements, change in
        changes.append(change == .changed([elements.count - 1]) ? elements.count : 0)
      },
    ]
    $numbers.append(30)
    trial.expect(lists.numbers, equals: [2, 3])
    trial.expect(firsts.numbers, equals: [10])
    trial.expect(changes.numbers, equals: [0, 3])
    trial.inAnotherProgram {
      @Shared(.localStorage("numbers")) var numbers: [Int] = []
      $numbers.append(40)
    }
    $numbers.append(50)
    trial.expect(trial.store["numbers"], equals: "[10,20,30,40,50]")
    withExtendedLifetime(tokens) {}
  },
  Case("R3", "a removed element is detached, the others are found") { trial in
    let items = Shared(value: (0..<4).map { Item(id: $0) })
    let (gone, last) = (items[id: 1]!, items[id: 3]!)
    items.remove(id: 1)
    gone.number.withLock { $0 = 1 }
    last.number.withLock { $0 = 3 }
    trial.expect(items.wrappedValue.map { $0.number } == [0, 0, 3], "they were not found")
  },
  Case("R8", "an appended element wakes who reads the list, and who looks for it") { trial in
    let items = Shared(value: [Item(id: 1), Item(id: 2)])
    var (lists, firsts, positions, news) = (0, 0, 0, 0)
    let tokens = [
      observe { lists += items.wrappedValue.isEmpty ? 0 : 1 },
      observe { firsts += items[id: 1]!.number.wrappedValue + 1 },
      observe { positions += items[0].number.wrappedValue + 1 },
      observe { news += items[id: 3] == nil ? 0 : 1 },
    ]
    items.append(Item(id: 3))
    trial.expect(lists, equals: 2)
    trial.expect(firsts, equals: 1)
    trial.expect(positions, equals: 1)
    trial.expect(news, equals: 1)
    withExtendedLifetime(tokens) {}
  },
  Case("R8", "a removed element wakes whose element may be another one") { trial in
    let items = Shared(value: (0..<3).map { Item(id: $0, number: $0) })
    var (second, number) = (0, 0)
    let token = observe {
      number = items[1].number.wrappedValue
      second += 1
    }
    items.remove(id: 0)
    trial.expect(number, equals: 2)
    trial.expect(second, equals: 2)
    withExtendedLifetime(token) {}
  },
  Case("R8", "whoever observes elements hears which have changed") { trial in
    let items = Shared(value: (0..<9).map { Item(id: $0) })
    let heard = Heard(items)
    trial.expect(heard.last == .anything, "at first")
    items[id: 7]!.title.withLock { $0 = "seven" }
    trial.expect(heard.last == .changed([7]), "by its id")
    batch {
      items[4].number.withLock { $0 = 1 }
      items[id: 2]!.tags.withLock { $0.append(1) }
      items.append(Item(id: 9))
    }
    trial.expect(heard.last == .changed([2, 4, 9]), "several, and one that is new")
    items.remove(id: 3)
    trial.expect(heard.last == .removed(3), "one that is gone")
    items.withLock { $0.swapAt(0, 1) }
    trial.expect(heard.last == .anything, "the whole")
    trial.expect(heard.count, equals: 5)
    trial.expect(heard.elements == items.wrappedValue, "the elements")
  },
  Case("R8", "where one has gone among other changes, it hears of anything") { trial in
    let items = Shared(value: (0..<9).map { Item(id: $0) })
    let heard = Heard(items)
    batch {
      items.remove(id: 3)
      items[0].number.withLock { $0 = 1 }
    }
    trial.expect(heard.last == .anything, "changed after it")
    batch {
      items[0].number.withLock { $0 = 2 }
      items.remove(id: 4)
    }
    trial.expect(heard.last == .anything, "changed before it")
    batch {
      items.remove(id: 5)
      items.remove(id: 6)
    }
    trial.expect(heard.last == .anything, "two that are gone")
    batch { for item in items { item.number.withLock { $0 += 1 } } }
    trial.expect(heard.last == .changed(Array(0..<5)), "the next turn begins anew")
  },
  Case("R8", "where the whole has changed before an element, it hears of anything") { trial in
    let items = Shared(value: (0..<9).map { Item(id: $0) })
    let heard = Heard(items)
    batch {
      items.withLock { $0.reverse() }
      items[id: 1]!.number.withLock { $0 = 1 }
    }
    trial.expect(heard.last == .anything, "an element changed after the whole")
    trial.expect(heard.elements == items.wrappedValue, "the elements")
    items[id: 1]!.number.withLock { $0 = 2 }
    trial.expect(heard.last == .changed([7]), "the next turn begins anew")
  },
  Case("R8", "it hears of as many as 100 elements in a turn, and of anything where more change") {
    trial in
    let items = Shared(value: (0..<300).map { Item(id: $0) })
    let heard = Heard(items)
    for count in [100, 101, 102, 300] {
      batch { for position in 0..<count { items[position].number.withLock { $0 += 1 } } }
      let isExact = heard.last == .changed(Array(0..<count))
      trial.expect(isExact, equals: count == 100)
      trial.expect(heard.last == .anything, equals: count != 100)
      trial.expect(heard.elements == items.wrappedValue, "the elements of \(count)")
    }
  },
  Case("R8", "it hears of another list when it is pointed there, and of nothing at the end") {
    trial in
    @Shared(value: [Item(id: 1)]) var items
    let old = Shared(projectedValue: $items)[id: 1]!
    let heard = Heard($items)
    $items = Shared(value: [Item(id: 2)])
    trial.expect(heard.last == .anything, "another list")
    trial.expect(heard.elements == [Item(id: 2)], "its elements")
    old.number.withLock { $0 = 5 }
    trial.expect(heard.count, equals: 2)
    items.isEmpty ? () : $items[0].number.withLock { $0 = 1 }
    trial.expect(heard.last == .changed([0]), "its changes")
    heard.token?.cancel()
    $items[0].number.withLock { $0 = 2 }
    trial.expect(heard.count, equals: 3)
  },
  Case("R8", "elements of a list inside a value are heard of, others are not") { trial in
    let lists = Shared(value: [[Item(id: 1)], [Item(id: 2)]])
    let heard = Heard(lists[1])
    lists[1].append(Item(id: 3))
    trial.expect(heard.last == .changed([1]), "the list's own")
    lists[0].append(Item(id: 4))
    trial.expect(heard.count, equals: 2)
  },
  Case("R3", "a change of an element that is gone is nobody else's") { trial in
    @Shared(.localStorage("numbers")) var items = (1...3).map { Numbered(id: $0) }
    $items.save()
    let held = [$items[1], $items[id: 3]!]
    $items.remove(id: 2)
    $items.remove(id: 3)
    let lists = Log()
    let changes = Log()
    let tokens = [
      observe { lists.append(items.count) },
      $items.observeElements { elements, _ in changes.append(elements.count) },
    ]
    let seen = held.map { element in (element, Log()) }
    let observers = seen.map { element, log in observe { log.append(element.number.wrappedValue) } }
    let writes = trial.store.writeCount
    for element in held { element.number.withLock { $0 = 5 } }
    trial.expect(lists.numbers, equals: [1])
    trial.expect(changes.numbers, equals: [1])
    trial.expect(trial.store.writeCount, equals: writes)
    for (element, log) in seen {
      trial.expect(element.wrappedValue.number, equals: 5)
      trial.expect(log.numbers, equals: [0, 5])
    }
    $items.append(Numbered(id: 3))
    $items[1].number.withLock { $0 = 7 }
    trial.expect(trial.store["numbers"], equals: numberedText(items))
    withExtendedLifetime((tokens, observers)) {}
  },
  Case("R12", "a key hears of an appended element as of a changed one, of a removed one not") {
    trial in
    @Shared(.localStorage("numbers")) var items: [Numbered] = []
    for id in 0..<3 {
      $items.append(Numbered(id: id))
      trial.expect(trial.store["numbers"], equals: numberedText(items))
    }
    $items[id: 1]!.number.withLock { $0 = 1000 }
    batch {
      $items.append(Numbered(id: 7))
      $items[id: 0]!.number.withLock { $0 = -1 }
      $items.append(Numbered(id: 8))
    }
    trial.expect(trial.store["numbers"], equals: numberedText(items))
    $items.remove(id: 1)
    trial.expect(trial.store["numbers"], equals: numberedText(items))
    $items[id: 8]!.number.withLock { $0 = 12 }
    trial.expect(trial.store["numbers"], equals: numberedText(items))
  },
  Case("R13", "an element is appended to what the store holds at that moment") { trial in
    @Shared(.localStorage("numbers")) var items: [Numbered] = []
    $items.append(Numbered(id: 1))
    trial.inAnotherProgram {
      @Shared(.localStorage("numbers")) var items: [Numbered] = []
      $items.append(Numbered(id: 2))
    }
    $items.append { items in Numbered(id: items.count + 1) }
    trial.expect(items.map { $0.id } == [1, 2, 3], "somebody's element is lost")
    trial.expect(trial.store["numbers"], equals: numberedText(items))
  },
]

/// A stored element.
private struct Numbered: JSONCodable, Identifiable {
  var id = 0
  var number = 0

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("id", &id)
    try json.field("number", &number)
  }
}

private func numberedText(_ items: [Numbered]) -> String {
  String(decoding: (try? JSON.encode(items)) ?? [], as: UTF8.self)
}

/// The changes that an observer of elements has received.
private final class Heard {
  private(set) var last = ElementChanges.changed([-1])
  private(set) var elements: [Item] = []
  private(set) var count = 0
  private(set) var token: ObservationToken?

  init(_ items: Shared<[Item]>) {
    token = items.observeElements { [unowned(unsafe) self] elements, changes in
      self.elements = elements
      last = changes
      count += 1
    }
  }
}
