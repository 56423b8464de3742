import SharingCore
import WasiStorage

/// Keys receive the changed elements, so that they need not encode the others again.
let changedElements: [Case] = [
  Case("R12", "a key hears which elements of an array have changed") { trial in
    let saves = Saves()
    let items = savedItems(9, saves)
    items[id: 7]!.title.withLock { $0 = "seven" }
    trial.expect(saves.last, equals: [7])
    items[2].withLock { $0.number += 1 }
    trial.expect(saves.last, equals: [2])
    items[id: 4]!.tags.withLock { $0.append(1) }
    trial.expect(saves.last, equals: [4])
  },
  Case("R12", "those of one turn come in order, each once") { trial in
    let saves = Saves()
    let items = savedItems(9, saves)
    batch {
      for position in [5, 3, 8, 3, 5] { items[position].number.withLock { $0 += 1 } }
    }
    trial.expect(saves.last, equals: [3, 5, 8])
  },
  Case("R12", "it is told an element's position at the time of the change") { trial in
    let saves = Saves()
    let items = savedItems(3, saves)
    let last = items[id: 2]!
    items.withLock { _ = $0.removeFirst() }
    last.number.withLock { $0 += 1 }
    trial.expect(saves.last, equals: [1])
  },
  Case("R12", "so it is told of an element that was gone and is back") { trial in
    let saves = Saves()
    let items = savedItems(3, saves)
    let last = items[id: 2]!
    items.withLock { _ = $0.removeLast() }
    trial.expect(last.wrappedValue.number, equals: 0)
    items.withLock { $0.append(Item(id: 2, number: 5)) }
    last.number.withLock { $0 += 1 }
    trial.expect(items.wrappedValue[2].number, equals: 6)
    trial.expect(saves.last, equals: [2])
  },
  Case("R12", "where anything may have changed, it is not told of elements") { trial in
    let saves = Saves()
    let items = savedItems(3, saves)
    items.withLock { $0[1].number = 1 }
    trial.expect(saves.isLastUnknown, "a change of the whole array is told as one of elements")
    batch {
      items[0].number.withLock { $0 = 1 }
      items.withLock { $0.append(Item(id: 3)) }
    }
    trial.expect(saves.isLastUnknown, "an array with a new element is told as one of elements")
    var others = [Item(id: 9), Item(id: 8)]
    withUnsafeMutablePointer(to: &others) { _ = saves.follower?.receive(.value($0)) }
    items[1].number.withLock { $0 = 1 }
    trial.expect(saves.isLastUnknown, "a change of another array is told")
    items[0].number.withLock { $0 = 1 }
    trial.expect(saves.last, equals: [0])
  },
  Case("R12", "for a save without a change it is told that no element has changed") { trial in
    let saves = Saves()
    let items = savedItems(1, saves)
    items[0].number.withLock { $0 = 1 }
    items.save()
    trial.expect(saves.last, equals: [])
    trial.expect(saves.count, equals: 3)
  },
]

/// Returns items that have been saved once: only then a key has the encoding of each element.
private func savedItems(_ count: Int, _ saves: Saves) -> Shared<[Item]> {
  let items = Shared(wrappedValue: (0..<count).map { Item(id: $0) }, SavesKey(saves: saves))
  items.save()
  return items
}

/// The changes that a key has received.
private final class Saves: @unchecked Sendable {
  var follower: Receiver?
  private(set) var count = 0
  private var changes = ElementChanges.anything

  var last: [Int] { if case .changed(let positions) = changes { positions } else { [-1] } }
  var isLastUnknown: Bool { changes == .anything }

  private var revision: UInt32?

  func append(_ value: ValueToSave) {
    count += 1
    changes = value.elementChanges(since: revision)
    revision = value.revision
  }
}

private struct SavesKey: SharedKey {
  let saves: Saves

  var id: ObjectIdentifier { ObjectIdentifier(saves) }

  func load(context: LoadContext<[Item]>, continuation: LoadContinuation<[Item]>) {}

  func subscribe(
    context: LoadContext<[Item]>, subscriber: SharedSubscriber<[Item]>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  func save(_ value: [Item], context: SaveContext, continuation: SaveContinuation) {}

  func _makeConnection() -> _SharedConnection { _SharedConnection(SavesConnection(saves)) }
}

private final class SavesConnection: Connection {
  private let saves: Saves

  init(_ saves: Saves) {
    self.saves = saves
  }

  var label: UTF8Text { "saves" }

  func load(_ receiver: Receiver, isFirst: Bool) { receiver.receive(.nothing) }

  func freshen(_ receiver: Receiver, _ reason: FreshenReason) {}

  func save(_ value: ValueToSave, _ receiver: Receiver) {
    saves.append(value)
    receiver.answer(nil)
  }

  func remove(_ value: ValueToSave, _ receiver: Receiver) { receiver.answer(nil) }

  func follow(_ receiver: Receiver) { saves.follower = receiver }

  func unfollow(_ receiver: Receiver) {}
}

/// The stored text of an array is the same, whether elements change one by one or all at once.
let storedElements: [Case] = [
  Case("R12", "the stored text of changed elements is that of the whole array") { trial in
    @Shared(.localStorage("users")) var users = (0..<20).map { User(name: "\($0)", age: $0) }
    var random = Random()
    for round in 0..<200 {
      change(&random, $users)
      trial.expect(trial.store["users"], equals: text(users), line: UInt(round))
    }
  },
  Case("R12", "so it is when several turns are saved at once") { trial in
    @Shared(.localStorage("users", saving: .debounced(milliseconds: 1_000)))
    var users = (0..<20).map { User(name: "\($0)", age: $0) }
    var random = Random()
    for round in 0..<100 {
      change(&random, $users)
      guard round % 5 == 4 else { continue }
      $users.save()
      trial.expect(trial.store["users"], equals: text(users), line: UInt(round))
    }
  },
  Case("R12", "so it is whichever of the elements has changed first") { trial in
    for positions in [[2, 1], [1, 2], [2, 0, 1], [1, 1, 0]] {
      trial.store["users"] = nil
      @Shared(.localStorage("users", saving: .debounced(milliseconds: 1_000)))
      var users = (0..<3).map { User(name: "\($0)", age: $0) }
      $users.save()
      for position in positions { $users[position].age.withLock { $0 += 100 } }
      $users.save()
      trial.expect(trial.store["users"], equals: text(users))
    }
  },
  Case("R16", "so it is after writes that have failed") { trial in
    @Shared(.localStorage("users")) var users = (0..<20).map { User(name: "\($0)", age: $0) }
    var random = Random()
    for round in 0..<100 {
      trial.store.failure = round % 3 == 0 ? nil : .quotaExceeded
      change(&random, $users)
      if round % 3 == 0 {
        trial.expect(trial.store["users"], equals: text(users), line: UInt(round))
      }
    }
  },
  Case("R13", "so it is when others store something else in between") { trial in
    @Shared(.localStorage("users")) var users = (0..<20).map { User(name: "\($0)", age: $0) }
    var random = Random()
    for round in 0..<100 {
      if round % 4 == 3 {
        var others = users
        others[round % others.count].age += 100
        trial.store["users"] = text(others)
      }
      change(&random, $users)
      trial.expect(trial.store["users"], equals: text(users), line: UInt(round))
    }
  },
  Case("R15", "so it is for a value that takes the place of damaged text") { trial in
    let key = LocalStorageKey<[User]>.localStorage("users")
    do {
      @Shared(key) var users = (0..<3).map { User(name: "\($0)", age: $0) }
      $users[0].age.withLock { $0 = 7 }
    }
    trial.store["users"] = "damaged"
    @Shared(key) var users = (0..<3).map { User(name: "other \($0)", age: $0) }
    $users[1].age.withLock { $0 = 8 }
    trial.expect(trial.store["users"], equals: text(users))
  },
  Case("R12", "elements that are not changed stay as another program has written them") { trial in
    let first = #" { "number" : 1 , "note":[1, "],{"]} "#
    trial.store["notes"] = #"[\#(first), {"number":2}]"#
    @Shared(.localStorage("notes")) var notes: [Note] = []
    $notes[1].number.withLock { $0 = 7 }
    trial.expect(trial.store["notes"], equals: #"[\#(first),{"number":7}]"#)
    trial.expect(notes.map { $0.number }, equals: [1, 7])
    $notes[0].number.withLock { $0 = 3 }
    trial.expect(trial.store["notes"], equals: #"[{"number":3},{"number":7}]"#)
  },
  Case("R12", "what somebody holds stays as it was when another program changes one of it") {
    trial in
    trial.store["numbers"] = "[1,2,3]"
    @Shared(.localStorage("numbers")) var numbers: [Int] = []
    let held = numbers
    for text in ["[1,20,3]", "[1,20,3,4]", "[20,3,4]"] {
      trial.store["numbers"] = text
      trial.store.notify("numbers")
    }
    trial.expect(numbers, equals: [20, 3, 4])
    trial.expect(held, equals: [1, 2, 3])
  },
  Case("R12", "so they do when another program has changed one of them meanwhile") { trial in
    trial.store["numbers"] = "[1.00, 2.00, 3.00]"
    @Shared(.localStorage("numbers")) var numbers: [Double] = []
    trial.expect(numbers.count, equals: 3)
    trial.store["numbers"] = "[1.00, 2.00, 5.00]"
    trial.store.notify("numbers")
    $numbers[1].withLock { $0 = 7 }
    trial.expect(trial.store["numbers"], equals: "[1.00,7.0, 5.00]")
    trial.store["numbers"] = "[1.00, 5.00,6.00 ]"
    trial.store.notify("numbers")
    trial.store["numbers"] = "[1.00,6.00 ]"
    trial.store.notify("numbers")
    $numbers[0].withLock { $0 = 2 }
    trial.expect(trial.store["numbers"], equals: "[2.0,6.00 ]")
    trial.store["numbers"] = "[4.00, 5.00]"
    $numbers.load()
    $numbers[0].withLock { $0 = 8 }
    trial.expect(trial.store["numbers"], equals: "[8.0, 5.00]")
  },
  Case("R12", "an array is written anew where it has white space around it") { trial in
    for found in [" [1.00, 2.00]", "[1.00, 2.00]\n"] {
      trial.store["numbers"] = found
      @Shared(.localStorage("numbers")) var numbers: [Double] = []
      $numbers.load()
      $numbers[0].withLock { $0 = 3 }
      trial.expect(trial.store["numbers"], equals: "[3.0,2.0]")
    }
  },
  Case("R16", "what was changed while another element had no JSON is stored with that") { trial in
    trial.store["numbers"] = "[1.0,2.0,3.0]"
    @Shared(.localStorage("numbers")) var numbers: [Double] = []
    $numbers[0].withLock { $0 = .nan }
    trial.expect($numbers.saveError != nil, "no error")
    $numbers[1].withLock { $0 = 5 }
    trial.expect(trial.store["numbers"], equals: "[1.0,2.0,3.0]")
    $numbers[0].withLock { $0 = 7 }
    trial.expect($numbers.saveError == nil, "an error")
    trial.expect(trial.store["numbers"], equals: "[7.0,5.0,3.0]")
  },
]

/// Changes an element, or occasionally the array.
private func change(_ random: inout Random, _ users: Shared<[User]>) {
  let index = random.next(below: users.count)
  switch random.next(below: 8) {
  case 0: users.withLock { $0.append(User(name: "new", age: index)) }
  case 1 where users.count > 5: users.withLock { _ = $0.remove(at: index) }
  case 2: users[index].withLock { $0 = User(name: "a longer name than before", age: index) }
  case 3:
    batch {
      for index in [index, 0, users.count - 1] { users[index].name.withLock { $0 = "x" } }
    }
  default: users[index].age.withLock { $0 += 1 }
  }
}

/// An element to which other programs add members.
private struct Note: JSONCodable {
  var number = 0

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("number", &number)
  }
}

private func text(_ users: [User]) -> String {
  String(decoding: (try? JSON.encode(users)) ?? [], as: UTF8.self)
}

/// Pseudorandom numbers, the same ones in each run (a linear congruential generator).
struct Random {
  private var state: UInt32

  init(seed: Int = 1) {
    state = UInt32(truncatingIfNeeded: seed)
  }

  mutating func next(below limit: Int) -> Int {
    state = state &* 1_664_525 &+ 1_013_904_223
    return Int(state >> 8) % limit
  }
}
