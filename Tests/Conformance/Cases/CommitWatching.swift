import SharingCommits
import SharingCore
import SharingTestDoubles
import SimulatedPrograms
import SimulatedRevisions
import WasiStorage

/// Notifications of other programs' commits, and the loss of the right to receive them.
let commitWatching: [Case] = [
  Case("R30", "that a key may not be heard of any more is told under it, and others go on") {
    trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (count, pairs) = (one.count(), one.count("pairs"))
    let theirs = (other.count(), other.count("pairs"))
    programs.deliverAll()
    one.connection.onChange?(
      .failure(StorageError(.denied, key: KeyName("count"), "as the case wants it")))
    trial.expect(count.loadError.map { reason(of: $0) } == .denied, "it is not told")
    trial.expect(pairs.loadError == nil, "it is told of another key")
    other.run { theirs.1.update { $0 += 1 } }
    programs.deliverAll()
    trial.expect(pairs.wrappedValue, equals: 1)
    trial.expect(count.loadError != nil, "another key's change unsays it")
    other.run { theirs.0.update { $0 += 1 } }
    programs.deliverAll()
    trial.expect(count.wrappedValue, equals: 1)
    trial.expect(count.loadError == nil, "a change that is told does not end it")
  },
  Case("R30", "that no key may be heard of any more is told under each, and what is known ends it")
  {
    trial in
    let programs = Programs(1)
    let one = programs[0]
    let (count, tasks) = (one.count(), one.tasks())
    one.run { tasks.withLock { $0 = [Task(id: 1), Task(id: 2)] } }
    programs.deliverAll()
    one.connection.onChange?(.failure(StorageError(.unavailable, key: nil, "as the case wants it")))
    trial.expect(count.loadError.map { reason(of: $0) } == .unavailable, "it is not told")
    trial.expect(tasks.loadError.map { reason(of: $0) } == .unavailable, "it is not told of both")
    programs.database.notify(one.connection, [KeyName("count"), KeyName("tasks")])
    programs.deliverAll()
    trial.expect(
      count.loadError == nil && tasks.loadError == nil, "a change that is told does not end it")
    trial.expect(count.wrappedValue, equals: 0)
    trial.expect(tasks.wrappedValue == [Task(id: 1), Task(id: 2)], "the tasks are others")
    trial.expect(!tasks.isSaving, "something is stored")
  },
  Case("R30", "what could not be loaded is told until something is, be it nothing") { trial in
    let programs = Programs(1)
    let one = programs[0]
    programs.database.isOffline = true
    let count = one.count()
    programs.deliverAll()
    trial.expect(count.loadError != nil, "it is loaded")
    programs.database.isOffline = false
    programs.database.notify(one.connection, [KeyName("count")])
    programs.deliverAll()
    trial.expect(count.loadError == nil, "a change that is told does not end it")
  },
  Case("R25", "what others lost before a program has stored something is not told there") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.tally(), other.tally())
    programs.deliverAll()
    one.run { mine.name.withLock { $0 = "mine" } }
    other.run { theirs.name.withLock { $0 = "theirs" } }
    programs.deliverAll()
    trial.expect(programs.text("tally.replaced") != nil, "nothing is lost")
    for program in [one, other] { program.run { program.clock.advance(by: 2000) } }
    programs.database.isOffline = true
    let late = programs.start()
    let shown = late.tally()
    programs.deliverAll()
    programs.database.isOffline = false
    for keys in [["tally"], ["tally.replaced"]] {
      programs.database.notify(late.connection, keys.map { KeyName($0) })
      programs.deliverAll()
      trial.expect(shown.loadError == nil, "something is told")
    }
    trial.expect(shown.wrappedValue == mine.wrappedValue, "it is not shown")
  },
  Case("R30", "a store is watched once, also where other values are made meanwhile") { trial in
    let store = WatchedStore()
    let environment = SharingEnvironment()
    let make = { Shared(wrappedValue: 0, .revisions($0, in: store)) }
    store.onFirstWatch = { _ = environment.run { make("other") } }
    let count = environment.run { make("count") }
    trial.expect(store.watchCount, equals: 1)
    withExtendedLifetime(count) {}
  },
  Case("R30", "a commit of another program between the load of a value and its following shows") {
    trial in
    let store = WatchedStore()
    let other = SharingEnvironment()
    let theirs = other.run { Shared(wrappedValue: 0, .revisions("count", in: store)) }
    // With another value, the program watches the store already.
    let first = Shared(wrappedValue: 0, .revisions("first", in: store))
    store.onLoad = {
      store.onLoad = {}
      other.run { theirs.update { $0 += 1 } }
    }
    let count = Shared(wrappedValue: 0, .revisions("count", in: store))
    trial.expect(theirs.wrappedValue, equals: 1)
    trial.expect(count.wrappedValue, equals: 1)
    withExtendedLifetime(first) {}
  },
  Case("R30", "what may not be heard of is stored all the same, and shown again when it is loaded")
  {
    trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.count(), other.count())
    programs.deliverAll()
    one.connection.onChange?(
      .failure(StorageError(.denied, key: KeyName("count"), "as the case wants it")))
    one.run { mine.update { $0 += 1 } }
    programs.deliverAll()
    trial.expect(theirs.wrappedValue, equals: 1)
    trial.expect(mine.saveError == nil && !mine.isSaving, "it is not stored")
    one.connection.onChange?(
      .failure(StorageError(.denied, key: KeyName("count"), "as the case wants it")))
    one.run { mine.load() }
    programs.deliverAll()
    trial.expect(mine.loadError == nil, "it is loaded, and fails")
  },
  Case("R28", "a change is shown once where others have recovered it with what it waits for") {
    trial in
    let programs = Programs(2)
    let former = programs[0].count()
    programs.deliverAll()
    programs[0].run { former.update { $0 += 1 } }
    programs.crash(0)
    let mine = programs[0].count()
    let shown = Log()
    let token = programs[0].run { observe { shown.append(mine.wrappedValue) } }
    programs[0].run { mine.update { $0 += 10 } }
    let theirs = programs[1].count()
    programs.deliver(to: programs[1])
    trial.expect(programs.text("count"), contains: "11")
    programs.deliverAll()
    trial.expect(shown.numbers, equals: [1, 11])
    trial.expect(theirs.wrappedValue, equals: 11)
    trial.expect(!mine.isSaving && programs.text("count") == "11", "it is not stored once")
    token.cancel()
  },
  Case("R29", "what was heard of before the store was cleared is not shown beside what is pending")
  {
    trial in
    let programs = Programs(1)
    let mine = programs[0].count()
    programs.deliverAll()
    programs.loseNextAnswer()
    let shown = Log()
    let token = programs[0].run { observe { shown.append(mine.wrappedValue) } }
    programs[0].run { mine.update { $0 += 1 } }
    let messages = programs.database.messages
    for kind: Messages.Kind in [.question, .answer, .notification] { messages.deliver(kind, of: 0) }
    programs.database.store.clear()
    programs.deliverAll()
    trial.expect(shown.numbers, equals: [0, 1])
    trial.expect(!mine.isSaving && programs.text("count") == "1", "it is not stored once")
    token.cancel()
  },
  Case("R30", "others' commits are shown also while something else is changed again and again") {
    trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, pairs) = (one.count(), one.count("pairs"))
    let theirs = other.count("pairs")
    programs.deliverAll()
    other.run { theirs.update { $0 += 1 } }
    programs.deliver(to: other)
    let messages = programs.database.messages
    one.run { mine.update { $0 += 1 } }
    messages.deliver(.notification, of: 0)
    for _ in 0..<5 {
      one.run { mine.update { $0 += 1 } }
      messages.deliver(.question, of: 0)
      messages.deliver(.answer, of: 0)
    }
    trial.expect(pairs.wrappedValue, equals: 1)
    programs.deliverAll()
    trial.expect(mine.wrappedValue, equals: 6)
  },
]
