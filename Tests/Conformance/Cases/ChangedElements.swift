import SharingCore

/// What a key hears of changed elements, so that it need not encode the others again.
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
    saves.subscriber?.yield([Item(id: 9), Item(id: 8)])
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

/// Some items that have been saved once: only then a key knows what an element is encoded as.
private func savedItems(_ count: Int, _ saves: Saves) -> Shared<[Item]> {
  let items = Shared(wrappedValue: (0..<count).map { Item(id: $0) }, SavesKey(saves: saves))
  items.save()
  return items
}

/// What a key was told.
private final class Saves: @unchecked Sendable {
  var subscriber: SharedSubscriber<[Item]>?
  private(set) var count = 0
  private var changed: [Int]?

  var last: [Int] { changed ?? [-1] }
  var isLastUnknown: Bool { changed == nil }

  func append(_ changed: [Int]?) {
    count += 1
    self.changed = changed
  }
}

private struct SavesKey: SharedKey {
  let saves: Saves

  var id: ObjectIdentifier { ObjectIdentifier(saves) }

  func load(context: LoadContext<[Item]>, continuation: LoadContinuation<[Item]>) {
    continuation.resumeReturningInitialValue()
  }

  func subscribe(
    context: LoadContext<[Item]>, subscriber: SharedSubscriber<[Item]>
  ) -> SharedSubscription {
    saves.subscriber = subscriber
    return SharedSubscription {}
  }

  func save(_ value: [Item], context: SaveContext, continuation: SaveContinuation) {
    saves.append(nil)
    continuation.resume()
  }

  func save(
    _ value: [Item], changed: [Int]?, context: SaveContext, continuation: SaveContinuation
  ) {
    saves.append(changed)
    continuation.resume()
  }
}
