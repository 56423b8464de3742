import SharingCommits
import SharingCore
import SimulatedPrograms
import WasiStorage

/// Elements that two programs add and remove at the same moment.
let committedElements: [Case] = [
  Case("R24", "elements that two programs append with the next number are both there") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.tasks(), other.tasks())
    programs.deliverAll()
    one.run { mine.append { Task(id: ($0.last?.id ?? 0) + 1, title: "a") } }
    other.run { theirs.append { Task(id: ($0.last?.id ?? 0) + 1, title: "b") } }
    trial.expect(mine.wrappedValue == [Task(id: 1, title: "a")], "shown at once")
    trial.expect(theirs.wrappedValue == [Task(id: 1, title: "b")], "shown at once to the other")
    programs.deliverAll()
    let both = [Task(id: 1, title: "a"), Task(id: 2, title: "b")]
    trial.expect(mine.wrappedValue == both, "an element is lost")
    trial.expect(theirs.wrappedValue == both, "an element is lost to the other")
  },
  Case("R24", "an append is made again behind the elements of others, each element once") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.tasks(), other.tasks())
    programs.deliverAll()
    one.run {
      mine.append(Task(id: 1))
      mine.append(Task(id: 2))
      mine[id: 2]!.done.withLock { $0 = true }
      mine.append { Task(id: 3, title: "after \($0.count)") }
    }
    other.run { theirs.append(Task(id: 4)) }
    programs.deliver(to: other)
    programs.deliverAll()
    let all = [Task(id: 4), Task(id: 1), Task(id: 2, done: true), Task(id: 3, title: "after 3")]
    trial.expect(Set(mine.wrappedValue.map { $0.id }).count, equals: 4)
    trial.expect(mine.wrappedValue == all, "the order")
    trial.expect(theirs.wrappedValue == all, "the order of the other")
  },
  Case("R24", "equal elements without ids that two programs append are both there") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.numbers(), other.numbers())
    one.run { mine.withLock { $0 = [1] } }
    programs.deliverAll()
    one.run { mine.append(2) }
    other.run { theirs.append(2) }
    programs.deliverAll()
    trial.expect(mine.wrappedValue == [1, 2, 2], "an element is lost")
    trial.expect(theirs.wrappedValue == [1, 2, 2], "an element is lost to the other")
  },
  Case("R24", "a removal is made again: an element that another program has changed goes") {
    trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.tasks(), other.tasks())
    one.run { mine.withLock { $0 = [Task(id: 1), Task(id: 2), Task(id: 3)] } }
    programs.deliverAll()
    other.run { theirs[id: 2]!.title.withLock { $0 = "changed" } }
    one.run { trial.expect(mine.remove(id: 2) == Task(id: 2), "the removed element") }
    programs.deliver(to: other)
    programs.deliverAll()
    trial.expect(mine.wrappedValue == [Task(id: 1), Task(id: 3)], "the element is there")
    trial.expect(theirs.wrappedValue == mine.wrappedValue, "they differ")
  },
  Case("R24", "a removal that both programs make removes no other element") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.tasks(), other.tasks())
    one.run { mine.withLock { $0 = [Task(id: 1), Task(id: 2)] } }
    programs.deliverAll()
    one.run { trial.expect(mine.remove(id: 1) == Task(id: 1), "the removed element") }
    other.run { trial.expect(theirs.remove(id: 1) == Task(id: 1), "the removed element") }
    programs.deliverAll()
    trial.expect(mine.wrappedValue == [Task(id: 2)], "another element is gone")
    trial.expect(theirs.wrappedValue == [Task(id: 2)], "another element is gone for the other")
    one.run { trial.expect(mine.remove(id: 9) == nil, "there is none") }
  },
  Case("R24", "an element that only another program shows yet is removed, if that is first") {
    trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.tasks(), other.tasks())
    programs.deliverAll()
    other.run { theirs.append(Task(id: 1)) }
    one.run { trial.expect(mine.remove(id: 1) == nil, "it is not shown") }
    programs.deliver(to: other)
    programs.deliverAll()
    trial.expect(mine.wrappedValue == [] && theirs.wrappedValue == [], "the element is there")
  },
  Case("R24", "an append to a part of an element is made again on that element") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.boards(), other.boards())
    one.run { mine.withLock { $0 = [Board(id: 1), Board(id: 2)] } }
    programs.deliverAll()
    one.run { mine[id: 2]!.tasks.append { Task(id: $0.count + 1) } }
    other.run {
      theirs[id: 2]!.tasks.append { Task(id: $0.count + 1) }
      theirs.remove(id: 1)
    }
    programs.deliverAll()
    let board = Board(id: 2, tasks: [Task(id: 1), Task(id: 2)])
    trial.expect(mine.wrappedValue == [board], "an element is lost")
    trial.expect(theirs.wrappedValue == [board], "an element is lost to the other")
  },
]

@Stored private struct Board: Identifiable, Equatable {
  var id = 0
  var tasks: [Task] = []
}

extension Program {
  fileprivate func numbers() -> Shared<[Int]> {
    run { Shared(wrappedValue: [], .revisions("numbers", in: store)) }
  }

  fileprivate func boards() -> Shared<[Board]> {
    run { Shared(wrappedValue: [], .revisions("boards", in: store)) }
  }
}
