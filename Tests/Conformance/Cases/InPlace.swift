import SharingCore
import WasiStorage

extension Case {
  /// A new array each time: an array with two owners would be copied.
  private static var many: [Int] { Array(repeating: 0, count: 1000) }

  /// No derivation copies its base: an array keeps its address if it is changed through one.
  static let inPlace: [Case] = [
    Case("R3", "an element by position, of an array in an element, is changed in place") { trial in
      @Shared(value: [Item(id: 1, tags: many)]) var items
      let address = $items.withLock { $0[0].tags.address }
      $items[0].tags[500].withLock { $0 = 1 }
      $items[0].tags.withLock { $0[501] = 1 }
      trial.expect($items.withLock { $0[0].tags.address } == address, "the array has moved")
      trial.expect(items[0].tags[500] + items[0].tags[501], equals: 2)
    },
    Case("R3", "an array in an element by id that has been read is changed in place") { trial in
      @Shared(value: [Item(id: 1), Item(id: 2, tags: many)]) var items
      let two = $items[id: 2]
      let list = $items.withLock { $0.address }
      let tags = $items.withLock { $0[1].tags.address }
      trial.expect(two?.wrappedValue.tags.count ?? 0, equals: 1000)
      two?.tags.withLock { $0[500] = 1 }
      two?.tags[501].withLock { $0 = 1 }
      two?.withLock { $0.number = 5 }
      trial.expect($items.withLock { $0.address } == list, "the list has moved")
      trial.expect($items.withLock { $0[1].tags.address } == tags, "the array has moved")
    },
    Case("R3", "an optional in a property, and what is in it, are changed in place") { trial in
      @Shared(value: Team(best: User(scores: many))) var team
      let address = $team.withLock { $0.best?.scores.address }
      let best = Shared($team.best)
      best?.scores.withLock { $0[500] = 1 }
      best?.scores[501].withLock { $0 = 1 }
      trial.expect($team.withLock { $0.best?.scores.address } == address, "the array has moved")
      trial.expect(team.best?.scores[501] ?? 0, equals: 1)
    },
    Case("R3", "a property of an element of a property is changed in place") { trial in
      @Shared(value: Team(members: [Item(id: 1, tags: many), Item(id: 2)])) var team
      let list = $team.withLock { $0.members.address }
      let tags = $team.withLock { $0.members[0].tags.address }
      $team.members[id: 1]?.tags[500].withLock { $0 = 1 }
      $team.members[0].title.withLock { $0 = "first" }
      trial.expect($team.withLock { $0.members.address } == list, "the list has moved")
      trial.expect($team.withLock { $0.members[0].tags.address } == tags, "the array has moved")
    },
    Case("R3", "deriving and reading copy nothing") { trial in
      @Shared(value: Team(members: [Item(id: 1)], best: User(scores: many))) var team
      let list = $team.withLock { $0.members.address }
      let scores = $team.withLock { $0.best?.scores.address }
      let readers = [
        observe { _ = $team.members[0].title.wrappedValue },
        observe { _ = $team.members[id: 1]?.wrappedValue },
        observe { _ = Shared($team.best)?.scores.wrappedValue.count },
        observe { _ = $team.read { $0.members.count }.wrappedValue },
      ]
      $team.members.withLock { $0[0].number = 1 }
      $team.best.withLock { $0?.scores[0] = 1 }
      trial.expect($team.withLock { $0.members.address } == list, "the list has moved")
      trial.expect($team.withLock { $0.best?.scores.address } == scores, "the array has moved")
      for reader in readers { reader.cancel() }
    },
  ]
}

private struct Team {
  var members: [Item] = []
  var best: User?
}

extension Array {
  /// The address of the elements.
  fileprivate var address: UnsafePointer<Element>? {
    withUnsafeBufferPointer { $0.baseAddress }
  }
}
