import SharingCommits
import SharingCore
import SharingTestDoubles
import SimulatedPrograms
import WasiStorage

/// Wrappers of a committed value that end, and new wrappers of its key in the same program.
let endedWrappers: [Case] = [
  Case("R25", "a new wrapper's change of an element keeps the change of another program") {
    trial in
    let store = MemoryRevisionStore()
    setTwoTasks(in: store)
    trial.inAnotherProgram { tasks(in: store)[id: 1]!.title.withLock { $0 = "milk" } }
    let mine = tasks(in: store)
    mine[id: 2]!.title.withLock { $0 = "bread" }
    trial.expect(mine.wrappedValue.map { $0.title } == ["milk", "bread"], "it shows another title")
    trial.expect(store.text("tasks"), contains: "milk")
    trial.expect(store.text("tasks"), contains: "bread")
  },
  Case("R25", "so does its change after another load, and its update") { trial in
    let store = MemoryRevisionStore()
    setTwoTasks(in: store)
    do {
      let mine = tasks(in: store)
      mine[id: 2]!.marks.withLock { $0 = 1 }
    }
    trial.inAnotherProgram { tasks(in: store)[id: 1]!.title.withLock { $0 = "milk" } }
    let mine = tasks(in: store)
    mine.load()
    mine[id: 2]!.title.withLock { $0 = "bread" }
    trial.expect(store.text("tasks"), contains: "milk")
    trial.expect(store.text("tasks"), contains: "bread")
    mine[id: 2]!.marks.update { $0 += 1 }
    trial.expect(mine.loadError == nil && mine.saveError == nil, "there is an error")
    trial.expect(store.text("tasks"), contains: "milk")
    trial.expect(store.text("tasks"), contains: #""marks":2"#)
  },
  Case("R25", "so does its change in the completion of a load") { trial in
    let store = MemoryRevisionStore()
    setTwoTasks(in: store)
    trial.inAnotherProgram { tasks(in: store)[id: 1]!.title.withLock { $0 = "milk" } }
    let mine = Shared(value: [Task]())
    mine.load(.revisions("tasks", in: store)) { _ in
      mine[id: 2]!.title.withLock { $0 = "bread" }
      mine.save()
    }
    trial.expect(store.text("tasks"), contains: "milk")
    trial.expect(store.text("tasks"), contains: "bread")
  },
  Case("R30", "a new wrapper shows the value that another program has restored") { trial in
    let store = MemoryRevisionStore()
    setTwoTasks(in: store)
    let program = SharingEnvironment()
    let theirs = program.run { tasks(in: store) }
    program.run { theirs[id: 1]!.title.withLock { $0 = "milk" } }
    let mine = tasks(in: store)
    trial.expect(mine.wrappedValue[0].title, equals: "milk")
    program.run { theirs[id: 1]!.title.withLock { $0 = "" } }
    trial.expect(mine.wrappedValue[0].title, equals: "")
  },
  Case("R25", "a new wrapper's change before its load is answered keeps all that is stored") {
    trial in
    let programs = Programs(1)
    programs[0].setTasks(programs)
    let mine = programs[0].tasks()
    programs[0].run { mine.append(Task(id: 3)) }
    programs.deliverAll()
    trial.expect(mine.wrappedValue.map { $0.id }, equals: [1, 2, 3])
    for id in 1...3 { trial.expect(programs.text("tasks"), contains: "\"id\":\(id)") }
  },
  Case("R25", "so it does where this browser's copy is older than that") { trial in
    let programs = Programs(1)
    programs[0].setTasks(programs)
    programs[0].hide()
    programs[0].clock.callAll()
    do {
      let mine = programs[0].tasks()
      programs.deliverAll()
      programs[0].run { mine.append(Task(id: 3)) }
      programs.deliverAll()
    }
    let mine = programs[0].tasks()
    programs[0].run { mine[id: 1]!.title.withLock { $0 = "milk" } }
    programs.deliverAll()
    trial.expect(mine.wrappedValue.map { $0.id }, equals: [1, 2, 3])
    trial.expect(programs.text("tasks"), contains: "milk")
    trial.expect(programs.text("tasks"), contains: #""id":3"#)
  },
  Case("R29", "a new wrapper shows at once the value that its program has stored or received") {
    trial in
    let programs = Programs(2)
    programs[0].setTasks(programs)
    trial.expect(programs[0].tasks().wrappedValue.map { $0.id }, equals: [1, 2])
    let theirs = programs[1].tasks()
    programs.deliverAll()
    programs[1].run { theirs.append(Task(id: 3)) }
    programs.deliverAll()
    trial.expect(programs[0].tasks().wrappedValue.map { $0.id }, equals: [1, 2, 3])
    programs[1].run { theirs.reset() }
    programs.deliverAll()
    trial.expect(programs[0].tasks().wrappedValue.isEmpty, "it shows what is removed")
  },
]

/// A load while a value has a change that is not saved yet.
let loadsDuringChanges: [Case] = [
  Case("R25", "a change during which a newer value is loaded does not replace that") { trial in
    let store = SilentStore()
    let mine = tasks(in: store)
    mine.withLock { $0 = [Task(id: 1), Task(id: 2)] }
    batch {
      mine[id: 2]!.title.withLock { $0 = "bread" }
      store.setByAnotherProgram([Task(id: 1, title: "milk"), Task(id: 2)])
      mine.load()
    }
    trial.expect(store.base.text("tasks"), contains: "milk")
    trial.expect(store.base.text("tasks"), contains: "bread")
    trial.expect(mine.wrappedValue.map { $0.title } == ["milk", "bread"], "it shows another title")
  }
]

/// A store that reports no commits of other programs, as a folder under a WASI runtime.
private final class SilentStore: ForwardingStore {
  let base = MemoryRevisionStore()

  func setByAnotherProgram(_ tasks: [Task]) {
    let entry = CommitEntry(key: "tasks", expected: nil, bytes: try? JSON.encode(tasks))
    _ = base.answer(to: Commit(client: "other", after: 0, through: 1, entries: [entry]))
  }

  func watch(_ onChange: @escaping @Sendable (StoreChanges) -> Void) -> SharedSubscription {
    SharedSubscription {}
  }
}

private func tasks(in store: any RevisionStore) -> Shared<[Task]> {
  Shared(wrappedValue: [], .revisions("tasks", in: store))
}

/// Stores two elements with a wrapper that ends.
private func setTwoTasks(in store: MemoryRevisionStore) {
  tasks(in: store).withLock { $0 = [Task(id: 1), Task(id: 2)] }
}

extension Program {
  /// Stores two elements with a wrapper that ends.
  fileprivate func setTasks(_ programs: Programs) {
    let mine = tasks()
    programs.deliverAll()
    run { mine.withLock { $0 = [Task(id: 1), Task(id: 2)] } }
    programs.deliverAll()
  }
}

extension MemoryRevisionStore {
  fileprivate func text(_ key: KeyName) -> UTF8Text? { stored(key).bytes.map { UTF8Text($0) } }
}
