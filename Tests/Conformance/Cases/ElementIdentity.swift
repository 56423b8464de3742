import SharingCore
import WasiStorage

/// Wrappers of elements that were created one by one before the list changed.
let elementIdentity: [Case] = [
  Case("R3", "an element of Array($items) is the same one after another came before it") { trial in
    let items = Shared(value: (1...3).map { Item(id: $0) })
    expectSame(trial, items, Array(items))
  },
  Case("R3", "an element of a loop is the same one after another came before it") { trial in
    let items = Shared(value: (1...3).map { Item(id: $0) })
    var held: [Shared<Item>] = []
    for item in items { held.append(item) }
    expectSame(trial, items, held)
  },
  Case("R3", "an element of $items.elements is the same one after another came before it") {
    trial in
    let items = Shared(value: (1...3).map { Item(id: $0) })
    expectSame(trial, items, (0..<3).map { items.elements[$0] })
  },
  Case("R3", "$items[0] is the same element after another came before it") { trial in
    let items = Shared(value: (1...3).map { Item(id: $0) })
    expectSame(trial, items, (0..<3).map { items[$0] })
  },
  Case("R3", "an element that generic code was handed is the same one, too") { trial in
    let items = Shared(value: (1...3).map { Item(id: $0) })
    expectSame(trial, items, elements(of: items))
    expectSame(trial, items, positions(of: items))
    expectSame(trial, items, items.map { $0 })
    expectSame(trial, items, items.reversed().reversed())
    expectSame(trial, items, zip(items, 0..<3).map { $0.0 })
  },
  Case("R4", "an element that was handed out to be read is the same one, too") { trial in
    let items = Shared(value: (1...3).map { Item(id: $0) })
    let reader = items.reader
    var looped: [SharedReader<Item>] = []
    for item in reader { looped.append(item) }
    for held in [Array(reader), looped, elements(of: reader), (0..<3).map { reader[$0] }] {
      items.withLock { $0.insert(Item(id: 10 + $0.count), at: 0) }
      items.remove(id: 1)
      trial.expect(held.map { $0.wrappedValue.id }, equals: [1, 2, 3])
      items.withLock { for index in $0.indices { $0[index].number += 1 } }
      trial.expect(held[2].number.wrappedValue, equals: items.wrappedValue.last!.number)
      items.withLock { $0 = (1...3).map { Item(id: $0) } }
    }
  },
  Case("R3", "an edit of an element goes to it, after one before it was removed") { trial in
    let items = Shared(value: (1...3).map { Item(id: $0) })
    let held = Array(items)
    items.remove(id: 1)
    held[1].title.withLock { $0 = "two" }
    trial.expect(items.wrappedValue.map { $0.title } == ["two", ""], "the titles")
    held[0].title.withLock { $0 = "ghost" }
    trial.expect(items.wrappedValue.map { $0.title } == ["two", ""], "the titles")
  },
  Case("R3", "a loop visits each element that was there once, while others come and go") { trial in
    let items = Shared(value: (0..<6).map { Item(id: $0) })
    var visited: [Int] = []
    for item in items {
      let id = item.wrappedValue.id
      visited.append(id)
      if id < 4 { items.withLock { $0.insert(Item(id: 10 + id), at: 0) } }
      if id == 1 { items.remove(id: 1) }
      if id == 2 { items.remove(id: 4) }
      if id == 3 { items.withLock { $0.reverse() } }
      item.number.withLock { $0 += 1 }
    }
    trial.expect(visited, equals: [0, 1, 2, 3, 5])
    let changed = items.wrappedValue.filter { $0.number > 0 }.map { $0.id }
    trial.expect(changed, equals: [5, 3, 2, 0])
    trial.expect(items.wrappedValue.allSatisfy { $0.number < 2 }, "one was visited twice")
  },
  Case("R3", "of elements with one id, each is handed out and edited once") { trial in
    let items = Shared(value: [Item(id: 1), Item(id: 1), Item(id: 2), Item(id: 1)])
    for item in items { item.number.withLock { $0 += 1 } }
    trial.expect(items.wrappedValue.map { $0.number }, equals: [1, 1, 1, 1])
    for item in Array(items) { item.number.withLock { $0 += 1 } }
    trial.expect(items.wrappedValue.map { $0.number }, equals: [2, 2, 2, 2])
    for position in items.indices { items[position].number.withLock { $0 += 1 } }
    trial.expect(items.wrappedValue.map { $0.number }, equals: [3, 3, 3, 3])
  },
  Case("R3", "an element without an id stands for its position") { trial in
    let numbers = Shared(value: [1, 2, 3])
    let held = Array(numbers.elements)
    numbers.withLock { $0.insert(0, at: 0) }
    trial.expect(held.map { $0.wrappedValue }, equals: [0, 1, 2])
    for number in numbers.elements { number.withLock { $0 += 1 } }
    trial.expect(numbers.wrappedValue, equals: [1, 2, 3, 4])
    for number in numbers.reader.elements.reversed() { trial.expect(number() > 0, "read") }
  },
  Case("R8", "observers of an element by its id run when the element gets another id") { trial in
    let items = Shared(value: [Renamed(id: 1), Renamed(id: 2)])
    let present = Log()
    let counts = Log()
    let tokens = [
      observe { present.append(items[id: 1] == nil ? 0 : 1) },
      observe { counts.append(items[id: 1]?.count.wrappedValue ?? -1) },
    ]
    items[0].id.withLock { $0 = 3 }
    trial.expect(present.numbers, equals: [1, 0])
    trial.expect(counts.numbers, equals: [0, -1])
    items[id: 3]!.withLock { $0 = Renamed(id: 1, count: 5) }
    trial.expect(present.numbers, equals: [1, 0, 1])
    trial.expect(counts.numbers, equals: [0, -1, 5])
    items[id: 1]!.withLock { $0 = Renamed(id: 4) }
    trial.expect(present.numbers, equals: [1, 0, 1, 0])
    trial.expect(counts.numbers, equals: [0, -1, 5, -1])
    for token in tokens { token.cancel() }
  },
  Case("R8", "an observer of $items[1] sees the element that has come there") { trial in
    let items = Shared(value: (0..<4).map { Item(id: $0, number: $0) })
    let seen = Log()
    let token = observe { seen.append(items[1].number.wrappedValue) }
    items.remove(id: 3)
    items[1].title.withLock { $0 = "other" }
    trial.expect(seen.numbers, equals: [1])
    items.remove(id: 0)
    trial.expect(seen.numbers, equals: [1, 2])
    items.withLock { $0.insert(Item(id: 9, number: 9), at: 1) }
    trial.expect(seen.numbers, equals: [1, 2, 9])
    items[1].withLock { $0 = Item(id: 5, number: 5) }
    trial.expect(seen.numbers, equals: [1, 2, 9, 5])
    items[id: 5]?.number.withLock { $0 = 6 }
    trial.expect(seen.numbers, equals: [1, 2, 9, 5, 6])
    items.append(Item(id: 8))
    trial.expect(seen.numbers, equals: [1, 2, 9, 5, 6])
    token.cancel()
  },
  Case("R8", "an observer that hands on $items[0] runs when another element has come there") {
    trial in
    let items = Shared(value: (1...3).map { Item(id: $0) })
    let first = Handed<Item>()
    let token = observe { first.element = items[0] }
    items[0].number.withLock { $0 = 1 }
    items[1].withLock { $0 = Item(id: 8) }
    trial.expect(first.count, equals: 1)
    items[0].withLock { $0 = Item(id: 9) }
    trial.expect(first.count, equals: 2)
    first.element?.number.withLock { $0 = 7 }
    trial.expect(items.wrappedValue.map { $0.number }, equals: [7, 0, 0])
    token.cancel()
  },
]

/// Edits three elements through earlier wrappers, after another element was inserted before them.
private func expectSame(_ trial: Trial, _ items: Shared<[Item]>, _ held: [Shared<Item>]) {
  items.withLock { $0.insert(Item(id: 10), at: 0) }
  for (position, element) in held.enumerated() { element.number.withLock { $0 = position + 1 } }
  trial.expect(items.wrappedValue.map { $0.id }, equals: [10, 1, 2, 3])
  trial.expect(items.wrappedValue.map { $0.number }, equals: [0, 1, 2, 3])
  items.withLock { $0 = (1...3).map { Item(id: $0) } }
}

private func elements<Elements: Collection>(of elements: Elements) -> [Elements.Element] {
  Array(elements)
}

private func positions<Elements: Collection>(of elements: Elements) -> [Elements.Element] {
  elements.indices.map { elements[$0] }
}

/// An element whose id can be changed.
private struct Renamed: Identifiable {
  var id: Int
  var count = 0
}
