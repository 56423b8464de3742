import SharingCore
import WasiStorage

extension Case {
  private static let three = [Item(id: 1), Item(id: 2), Item(id: 3)]

  static let elements: [Case] = [
    Case("R3", "an element by id is read and written in the list") { trial in
      @Shared(value: three) var items
      $items[id: 2]?.title.withLock { $0 = "two" }
      trial.expect(items[1].title, equals: "two")
      trial.expect($items[id: 2]?.wrappedValue.title, equals: "two")
    },
    Case("R3", "there is no element with an id that is not in the list") { trial in
      @Shared(value: three) var items
      trial.expect($items[id: 4] == nil, "there is one")
    },
    Case("R3", "an element by id follows the element when others come and go") { trial in
      @Shared(value: three) var items
      let two = $items[id: 2]
      $items.withLock { $0.insert(Item(id: 9), at: 0) }
      two?.title.withLock { $0 = "two" }
      $items.withLock { $0.removeFirst(2) }
      two?.number.withLock { $0 = 22 }
      trial.expect(items[0].title, equals: "two")
      trial.expect(items[0].number, equals: 22)
    },
    Case("R3", "among many, each element is found by its id, wherever it has moved to") { trial in
      @Shared(value: (0..<100).map { Item(id: $0) }) var items
      let moves: [(inout [Item]) -> Void] = [
        { _ in },
        { $0.insert(Item(id: 100), at: 0) },
        { $0.removeFirst(3) },
        { $0.sort { $0.id > $1.id } },
        { $0.removeLast(50) },
        { $0 = (0..<300).map { Item(id: $0 * 7 % 300) } },
      ]
      for move in moves {
        $items.withLock { move(&$0) }
        for _ in 0..<20 {
          for id in items.map({ $0.id }) { $items[id: id]?.number.withLock { $0 += 1 } }
        }
        trial.expect(items.filter { $0.number != 20 }.map { $0.id }, equals: [])
        trial.expect($items[id: 300] == nil, "an element is found that is not there")
        $items.withLock { for index in $0.indices { $0[index].number = 0 } }
      }
    },
    Case("R3", "an element that is gone is not found where it was, among many either") { trial in
      @Shared(value: (0..<100).map { Item(id: $0) }) var items
      for _ in 0..<20 { for id in 0..<100 { _ = $items[id: id] } }
      $items.remove(id: 50)
      trial.expect($items[id: 50] == nil, "it is found")
      $items.remove(id: 99)
      trial.expect($items[id: 99] == nil, "the last one is found")
      $items.withLock { $0[40] = Item(id: 50) }
      $items[id: 50]?.number.withLock { $0 = 1 }
      trial.expect(items[40].number, equals: 1)
    },
    Case("R3", "of several elements with one id, the first is found, among many too") { trial in
      @Shared(value: (0..<100).map { Item(id: $0 % 50) }) var items
      for _ in 0..<20 { for id in 0..<50 { $items[id: id]?.number.withLock { $0 += 1 } } }
      trial.expect(items.map { $0.number }, equals: (0..<100).map { $0 < 50 ? 20 : 0 })
    },
    Case("R3", "an element that was removed is detached: writing does not bring it back") { trial in
      @Shared(value: three) var items
      let two = $items[id: 2]
      $items.withLock { $0.remove(at: 1) }
      two?.title.withLock { $0 = "ghost" }
      trial.expect(items.count, equals: 2)
      trial.expect(two?.wrappedValue.title, equals: "ghost")
      trial.expect($items[id: 2] == nil, "it is back")
    },
    Case("R8", "an observer of a removed element sees the changes of its parts") { trial in
      @Shared(value: [Shelf(id: 1), Shelf(id: 2, number: 2, items: [Item(id: 1)])]) var shelves
      let two = $shelves[id: 2]!
      let (wholes, numbers, counts) = (Log(), Log(), Log())
      let tokens = [
        observe { wholes.append(two.wrappedValue.number) },
        observe { numbers.append(two.number.wrappedValue) },
        observe { counts.append(two.items.wrappedValue.count) },
      ]
      $shelves.remove(id: 2)
      two.number.withLock { $0 = 3 }
      trial.expect(wholes.numbers.last ?? 0, equals: 3)
      trial.expect(numbers.numbers.last ?? 0, equals: 3)
      two.items.append(Item(id: 2))
      trial.expect(counts.numbers.last ?? 0, equals: 2)
      two.items.remove(id: 1)
      trial.expect(counts.numbers.last ?? 0, equals: 1)
      let runs = counts.count
      two.number.withLock { $0 = 5 }
      trial.expect(counts.count, equals: runs)
      for token in tokens { token.cancel() }
    },
    Case("R3", "an element that is back is followed again") { trial in
      @Shared(value: three) var items
      let two = $items[id: 2]
      $items.withLock { $0.remove(at: 1) }
      $items.withLock { $0.append(Item(id: 2, title: "new")) }
      trial.expect(two?.wrappedValue.title, equals: "new")
    },
    Case("R3", "a shared list is a list of shared elements") { trial in
      @Shared(value: three) var items
      for item in $items { item.number.withLock { $0 += 10 } }
      Array($items)[2].number.withLock { $0 += 1 }
      $items[0].number.withLock { $0 += 2 }
      trial.expect(items.map { $0.number }, equals: [12, 10, 11])
      trial.expect($items.count, equals: 3)
    },
    Case("R3", "an element by position is detached when its position is gone") { trial in
      @Shared(value: three) var items
      let last = $items[2]
      $items.withLock { $0.removeLast() }
      last.title.withLock { $0 = "ghost" }
      trial.expect(items.count, equals: 2)
      trial.expect(last.wrappedValue.title, equals: "ghost")
    },
    Case("R3", "a change through an element leaves the list where it is") { trial in
      @Shared(value: (0..<1000).map { Item(id: $0) }) var items
      let address = $items.withLock { $0.withUnsafeBufferPointer { $0.baseAddress } }
      let element = $items[id: 500]
      element?.title.withLock { $0 = "changed" }
      $items[7].title.withLock { $0 = "changed" }
      trial.expect(element?.wrappedValue.title, equals: "changed")
      let after = $items.withLock { $0.withUnsafeBufferPointer { $0.baseAddress } }
      trial.expect(address == after, "the list has moved")
    },
    Case("R3", "an array in an element is changed in place") { trial in
      @Shared(value: [Item(id: 1, tags: Array(repeating: 0, count: 100))]) var items
      let tags = $items[id: 1]?.tags
      let address = tags?.withLock { $0.withUnsafeBufferPointer { $0.baseAddress } }
      tags?.withLock { $0[50] = 1 }
      let after = tags?.withLock { $0.withUnsafeBufferPointer { $0.baseAddress } }
      trial.expect(address == after, "the array has moved")
      trial.expect(items[0].tags[50], equals: 1)
    },
    Case("R3", "an optional is unwrapped, keeps its last value while nil, and follows again") {
      trial in
      @Shared(value: Optional(User())) var user
      let unwrapped = Shared($user)
      unwrapped?.age.withLock { $0 = 5 }
      trial.expect(user?.age ?? 0, equals: 5)
      $user.withLock { $0 = nil }
      unwrapped?.age.withLock { $0 = 6 }
      trial.expect(user == nil, "writing has brought it back")
      trial.expect(unwrapped?.wrappedValue.age ?? 0, equals: 6)
      $user.withLock { $0 = User(age: 7) }
      trial.expect(unwrapped?.wrappedValue.age ?? 0, equals: 7)
      $user.withLock { $0 = nil }
      trial.expect(Shared($user) == nil, "nil has been unwrapped")
    },
    Case("R3", "the value of an optional is changed in place") { trial in
      @Shared(value: Optional(Array(repeating: 0, count: 100))) var numbers
      let unwrapped = Shared($numbers)
      let address = unwrapped?.withLock { $0.withUnsafeBufferPointer { $0.baseAddress } }
      unwrapped?.withLock { $0[50] = 1 }
      let after = unwrapped?.withLock { $0.withUnsafeBufferPointer { $0.baseAddress } }
      trial.expect(address == after, "the array has moved")
    },
    Case("R4", "a reader has elements and optionals too") { trial in
      @Shared(value: three) var items
      @Shared(value: Optional(1)) var number
      let two = SharedReader($items)[id: 2]
      let first = SharedReader($items)[0]
      $items.withLock { $0[1].number = 22 }
      $items.withLock { $0[0].number = 11 }
      trial.expect(two?.wrappedValue.number ?? 0, equals: 22)
      trial.expect(first.wrappedValue.number, equals: 11)
      trial.expect(SharedReader(SharedReader($number))?.wrappedValue ?? 0, equals: 1)
    },
    Case("R8", "an observer of an element is not woken by the others") { trial in
      @Shared(value: three) var items
      let ones = Log()
      let twos = Log()
      let lists = Log()
      let tokens = [
        observe { ones.append($items[id: 1]?.number.wrappedValue ?? -1) },
        observe { twos.append($items[id: 2]?.wrappedValue.number ?? -1) },
        observe { lists.append(items.reduce(0) { $0 + $1.number }) },
      ]
      $items[id: 1]?.number.withLock { $0 = 5 }
      $items[id: 1]?.title.withLock { $0 = "one" }
      $items[id: 3]?.number.withLock { $0 = 7 }
      trial.expect(ones.numbers, equals: [0, 5])
      trial.expect(twos.numbers, equals: [0])
      trial.expect(lists.numbers, equals: [0, 5, 5, 12])
      for token in tokens { token.cancel() }
    },
    Case("R8", "an observer of an element by id hears of it by position, and the other way") {
      trial in
      @Shared(value: three) var items
      let byID = Log()
      let byPosition = Log()
      let two = $items[id: 2]
      let tokens = [
        observe { byID.append(two?.wrappedValue.number ?? -1) },
        observe { byPosition.append($items[1].wrappedValue.number) },
      ]
      $items[1].number.withLock { $0 = 5 }
      $items[id: 2]?.number.withLock { $0 = 6 }
      $items[id: 3]?.number.withLock { $0 = 7 }
      trial.expect(byID.numbers, equals: [0, 5, 6])
      trial.expect(byPosition.numbers, equals: [0, 5, 6])
      for token in tokens { token.cancel() }
    },
    Case("R8", "one of a thousand observed elements wakes one observer") { trial in
      @Shared(value: (0..<1000).map { Item(id: $0) }) var items
      let runs = Log()
      let tokens = (0..<1000).map { id in
        let item = $items[id: id]
        return observe { runs.append(item?.number.wrappedValue ?? -1) }
      }
      let before = runs.count
      $items[id: 777]?.number.withLock { $0 = 1 }
      trial.expect(before, equals: 1000)
      trial.expect(runs.count, equals: 1001)
      $items.withLock { $0[5].number = 1 }
      trial.expect(runs.count, equals: 2001)
      for token in tokens { token.cancel() }
    },
    Case("R3", "what is written to a removed element wakes nobody who observes its old place") {
      trial in
      let items = Shared(value: [Item(id: 1), Item(id: 2)])
      let removed = items[id: 2]
      items.withLock { $0[1] = Item(id: 9) }
      let seen = Log()
      let token = observe { seen.append(items[1].number.wrappedValue) }
      removed?.number.withLock { $0 = 5 }
      trial.expect(seen.numbers, equals: [0])
      trial.expect(removed?.wrappedValue.number ?? 0, equals: 5)
      items[id: 9]?.number.withLock { $0 = 7 }
      trial.expect(seen.numbers, equals: [0, 7])
      token.cancel()
    },
    Case("R9", "an observer of a computed value is woken only when the result changes") { trial in
      @Shared(value: [1, 2, 3]) var numbers
      let counts = Log()
      let token = observe { counts.append($numbers.read { $0.count }.wrappedValue) }
      $numbers.withLock { $0[0] = 10 }
      $numbers[1].withLock { $0 = 20 }
      $numbers.withLock { $0.append(4) }
      trial.expect(counts.numbers, equals: [3, 4])
      token.cancel()
    },
    Case("R9", "a computed value that was read in between still wakes its observer") { trial in
      @Shared(value: [1, 2, 3]) var numbers
      let count = $numbers.read { $0.count }
      let counts = Log()
      let token = observe { counts.append(count.wrappedValue) }
      batch {
        $numbers.withLock { $0.append(4) }
        trial.expect(count.wrappedValue, equals: 4)
      }
      trial.expect(counts.numbers, equals: [3, 4])
      token.cancel()
    },
    Case("R9", "a value computed from a computed one does too") { trial in
      @Shared(value: [1, 2, 3]) var numbers
      let isEven = $numbers.read { $0.count }.read { $0 % 2 == 0 }
      let seen = Log()
      let token = observe { seen.append(isEven.wrappedValue ? 1 : 0) }
      $numbers.withLock { $0 += [4, 5] }
      $numbers.withLock { $0.append(6) }
      trial.expect(seen.numbers, equals: [0, 1])
      token.cancel()
    },
    Case("R9", "a result that cannot be compared wakes after every change") { trial in
      @Shared(value: 1) var number
      let seen = Log()
      let box = $number.read { Box(value: $0) }
      let token = observe { seen.append(box.wrappedValue.value) }
      $number.withLock { $0 = 1 }
      trial.expect(seen.numbers, equals: [1, 1])
      token.cancel()
    },
    Case("R3", "a loop over elements may remove some, and ends where there are no more") { trial in
      let items = Shared(value: (0..<4).map { Item(id: $0, number: $0) })
      for item in items where item.number.wrappedValue % 2 == 1 {
        items.remove(id: item.wrappedValue.id)
      }
      trial.expect(items.wrappedValue.map { $0.id }, equals: [0, 2])
      trial.expect(items.map { items.remove(id: $0.wrappedValue.id)?.id ?? -1 }, equals: [0, 2])
      for _ in items { items.withLock { $0 = [] } }
      trial.expect(items.wrappedValue.count, equals: 0)
      trial.expect(Array(items.reader).count, equals: 0)
    },
    Case("R3", "a loop over elements leaves out those that come meanwhile") { trial in
      let items = Shared(value: [Item(id: 0), Item(id: 1)])
      for item in items { items.append(Item(id: 10 + item.wrappedValue.id)) }
      trial.expect(items.wrappedValue.map { $0.id }, equals: [0, 1, 10, 11])
      trial.expect(items.reader.map { $0.id.wrappedValue }, equals: [0, 1, 10, 11])
      trial.expect(Array(items).count, equals: 4)
    },
    Case("R7", "what computes a value may read others, and the same one") { trial in
      @Shared(value: 2) var number
      let square = $number.read { $0 * number }
      trial.expect(square.wrappedValue, equals: 4)
    },
  ]

  private struct Box {
    let value: Int
  }
}

/// An element with a number and elements of its own.
private struct Shelf: Identifiable, Sendable {
  let id: Int
  var number = 0
  var items: [Item] = []
}
