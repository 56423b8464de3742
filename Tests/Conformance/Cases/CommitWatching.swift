import SharingCore
import WasiStorage

/// What a program hears of others' commits, and that it may not hear of them any more.
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
    programs.database.tell(one.connection, [KeyName("count"), KeyName("tasks")])
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
    programs.database.tell(one.connection, [KeyName("count")])
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
      programs.database.tell(late.connection, keys.map { KeyName($0) })
      programs.deliverAll()
      trial.expect(shown.loadError == nil, "something is told")
    }
    trial.expect(shown.wrappedValue == mine.wrappedValue, "it is not shown")
  },
  Case("R30", "a store is watched once, also where other values are made meanwhile") { trial in
    let store = UnlistedStore()
    let environment = SharingEnvironment()
    let make = { Shared(wrappedValue: 0, .revisions($0, in: store)) }
    store.onFirstWatch = { _ = environment.run { make("other") } }
    let count = environment.run { make("count") }
    trial.expect(store.watchCount, equals: 1)
    withExtendedLifetime(count) {}
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
]
