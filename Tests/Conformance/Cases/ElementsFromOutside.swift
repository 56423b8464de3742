import SharingCore
import WasiStorage

/// Changes of an array by other programs are as fine-grained as local changes: observers of other
/// elements do not run.
let elementsFromOutside: [Case] = [
  Case("R14", "one of many elements that another program changes wakes its own observers only") {
    trial in
    for isByID in [true, false] {
      trial.store["todos"] = text((0..<300).map { Todo(id: $0) })
      @Shared(.localStorage("todos")) var todos: [Todo] = []
      let runs = (0..<300).map { _ in Log() }
      let tokens = (0..<300).map { number in
        observe {
          let todo = isByID ? $todos[id: number]! : $todos[number]
          runs[number].append(todo.title.wrappedValue.bytes.count)
        }
      }
      for round in 1...2 {
        var others = todos
        others[round].title = "changed"
        trial.store["todos"] = text(others)
        trial.store.notify("todos")
        trial.expect(runs.map { $0.count }.reduce(0, +), equals: 300 + round)
        trial.expect(runs[round].numbers, equals: [0, 7])
        trial.expect(todos == others, "the value is not what is stored")
      }
      for token in tokens { token.cancel() }
    }
  },
  Case("R14", "one of many elements that another program removes wakes its own observers only") {
    trial in
    trial.store["todos"] = text((0..<9).map { Todo(id: $0) })
    @Shared(.localStorage("todos")) var todos: [Todo] = []
    let runs = (0..<9).map { _ in Log() }
    let tokens = (0..<9).map { number in
      observe { runs[number].append($todos[id: number] == nil ? 0 : 1) }
    }
    trial.store["todos"] = text(todos.filter { $0.id != 3 })
    trial.store.notify("todos")
    trial.expect(runs.map { $0.count }.reduce(0, +), equals: 10)
    trial.expect(runs[3].numbers, equals: [1, 0])
    withExtendedLifetime(tokens) {}
  },
  Case("R14", "who observes the whole array runs once for all elements that have changed") {
    trial in
    trial.store["todos"] = text((0..<5).map { Todo(id: $0) })
    @Shared(.localStorage("todos")) var todos: [Todo] = []
    let sums = Log()
    let changes = Changes()
    let token = observe { sums.append(todos.map { $0.title.bytes.count }.reduce(0, +)) }
    let second = $todos.observeElements { changes.last = $1 }
    for positions in [[0, 4], [2], [1, 2, 3]] {
      var others = todos
      for position in positions { others[position].title += "x" }
      trial.store["todos"] = text(others)
      trial.store.notify("todos")
      trial.expect(changes.last == .changed(positions), "others are told")
    }
    trial.expect(sums.numbers, equals: [0, 2, 3, 6])
    trial.store["todos"] = text(todos + [Todo(id: 5)])
    trial.store.notify("todos")
    trial.expect(changes.last == .changed([5]), "a new one at the end is told as more than that")
    trial.store["todos"] = text(Array(todos[1...]))
    trial.store.notify("todos")
    trial.expect(changes.last == .removed(0), "one that is gone is told as more than that")
    _ = (token, second)
  },
  Case("R14", "the same elements in another layout wake nobody") { trial in
    trial.store["todos"] = text([Todo(id: 1), Todo(id: 2)])
    @Shared(.localStorage("todos")) var todos: [Todo] = []
    let runs = Log()
    let token = observe { runs.append(todos.count) }
    $todos.withLock { $0[0].title = "a" }
    trial.store["todos"] = text(todos).replacing("[{", by: "[ {")
    trial.store.notify("todos")
    trial.expect(todos == [Todo(id: 1, title: "a"), Todo(id: 2)], "it is another value")
    trial.expect(runs.count <= 3, "it runs for more than the layout")
    _ = token
  },
  Case("R3", "an observer of an id hears when another element takes its place") { trial in
    trial.store["todos"] = text([Todo(id: 1, title: "one"), Todo(id: 2, title: "two")])
    @Shared(.localStorage("todos")) var todos: [Todo] = []
    let first = Log()
    let third = Log()
    let token = observe { first.append($todos[id: 1] == nil ? 0 : 1) }
    let second = observe { third.append($todos[id: 3] == nil ? 0 : 1) }
    $todos[id: 2]!.title.withLock { $0 = "zwei" }
    trial.store["todos"] = text([Todo(id: 3, title: "three"), Todo(id: 2, title: "zwei")])
    trial.store.notify("todos")
    trial.expect(first.numbers.last ?? 9, equals: 0)
    trial.expect(third.numbers.last ?? 9, equals: 1)
    _ = (token, second)
  },
  Case("R12", "what is stored after that is the text of the whole array") { trial in
    trial.store["todos"] = text((0..<20).map { Todo(id: $0) })
    @Shared(.localStorage("todos")) var todos: [Todo] = []
    var random = Random()
    for round in 0..<200 {
      var others = todos
      let position = random.next(below: others.count)
      switch random.next(below: 6) {
      case 0: others.append(Todo(id: 100 + round))
      case 1 where others.count > 5: others.remove(at: position)
      case 2: others.insert(Todo(id: 100 + round), at: position)
      case 3: others.swapAt(position, 0)
      default: others[position].title += "\(round)"
      }
      trial.store["todos"] = text(others)
      if random.next(below: 2) == 0 { trial.store.notify("todos") }
      let own = random.next(below: 3)
      if own > 0 {
        $todos[random.next(below: own == 1 ? 1 : todos.count)].title.withLock { $0 += "!" }
      } else {
        $todos.withLock { $0.reverse() }
      }
      trial.expect(trial.store["todos"], equals: text(todos), line: UInt(round))
    }
  },
  Case("R14", "a key that is built on one shows all elements that another program stores") {
    trial in
    let key = BuiltKey<LocalStorageKey<[Todo]>>(base: .localStorage("todos"))
    do {
      let former = Shared(wrappedValue: [Todo(id: 7)], key)
      former.withLock { $0 = [Todo(id: 1)] }
    }
    trial.store["todos"] = nil
    let todos = Shared(wrappedValue: [Todo(id: 7)], key)
    trial.store["todos"] = text([Todo(id: 1), Todo(id: 2)])
    trial.store.notify("todos")
    trial.expect(todos.wrappedValue.map { $0.id }, equals: [1, 2])
  },
  Case("R15", "an element that is damaged by another program leaves the value, and is told") {
    trial in
    trial.store["todos"] = text([Todo(id: 1), Todo(id: 2)])
    @Shared(.localStorage("todos")) var todos: [Todo] = []
    $todos[0].title.withLock { $0 = "a" }
    trial.store["todos"] = text(todos).replacing("2,", by: "x,")
    trial.store.notify("todos")
    trial.expect(todos.count, equals: 2)
    trial.expect($todos.loadError != nil, "no error is told")
  },
  Case("R14", "an observer that hands on $todos[0] runs when another program moves the elements") {
    trial in
    trial.store["todos"] = text([Todo(id: 1), Todo(id: 2), Todo(id: 3)])
    @Shared(.localStorage("todos")) var todos: [Todo] = []
    let first = Handed<Todo>()
    let token = observe { first.element = $todos[0] }
    trial.store["todos"] = text([Todo(id: 2), Todo(id: 1), Todo(id: 3)])
    trial.store.notify("todos")
    trial.expect(first.count, equals: 2)
    trial.expect(first.element?.wrappedValue.id ?? 0, equals: 2)
    trial.store["todos"] = text([Todo(id: 2), Todo(id: 3), Todo(id: 1)])
    trial.store.notify("todos")
    trial.expect(first.count, equals: 2)
    token.cancel()
  },
]

/// A todo like those of pages.
private struct Todo: JSONCodable, Identifiable, Equatable {
  var id = 0
  var title: UTF8Text = ""

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("id", &id)
    try json.field("title", &title)
  }
}

private final class Changes: @unchecked Sendable {
  var last = ElementChanges.anything
}

private func text(_ todos: [Todo]) -> String {
  String(decoding: (try? JSON.encode(todos)) ?? [], as: UTF8.self)
}

extension String {
  /// Returns the text with the first occurrence of an ASCII text replaced.
  fileprivate func replacing(_ old: StaticString, by new: StaticString) -> String {
    let (bytes, old) = (Array(utf8), KeyName("\(old)").bytes)
    for start in 0...max(0, bytes.count - old.count)
    where Array(bytes[start..<min(bytes.count, start + old.count)]) == old {
      let replaced = bytes[..<start] + KeyName("\(new)").bytes + bytes[(start + old.count)...]
      return String(decoding: Array(replaced), as: UTF8.self)
    }
    return self
  }
}
