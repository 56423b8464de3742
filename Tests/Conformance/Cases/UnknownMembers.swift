import SharingCommits
import SharingCore
import SharingTestDoubles
import SimulatedPrograms
import SimulatedRevisions
import WasiStorage

/// A newer version of a program has added fields, and an older version changes the value.
let unknownMembers: [Case] = [
  Case("R19", "a change keeps members that the type does not have, in nested objects, too") {
    trial in
    trial.store["user"] =
      #"{"nick":"Bo","name":"Blob","address":{"street":"Main","zip":[1, 2],"number":1},"age":1}"#
    @Shared(.localStorage("user")) var user = User()
    $user.address.number.withLock { $0 = 2 }
    let text =
      #"{"nick":"Bo","name":"Blob","address":{"street":"Main","zip":[1,2],"number":2},"age":1}"#
    trial.expect(trial.store["user"], equals: text)
    $user.scores.withLock { $0 = [7] }
    trial.expect(trial.store["user"].map { UTF8Text($0) }, contains: #""nick":"Bo""#)
    trial.expect(trial.store["user"].map { UTF8Text($0) }, contains: #""scores":[7]"#)
  },
  Case("R19", "an element keeps the members that its type does not have, wherever it goes") {
    trial in
    trial.store["tasks"] =
      #"[{"id":1,"title":"a","due":5,"done":false,"marks":0},{"id":2,"title":"b","due":6}]"#
    @Shared(.localStorage("tasks")) var tasks: [Task] = []
    $tasks[id: 1]!.done.withLock { $0 = true }
    $tasks.withLock { $0 = [Task(id: 3), $0[1], $0[0]] }
    $tasks[id: 1]!.title.withLock { $0 = "c" }
    let newer = trial.newerTasks()
    trial.expect(newer.map { $0.id }, equals: [3, 2, 1])
    trial.expect(newer.map { $0.due }, equals: [0, 6, 5])
    $tasks.withLock { $0.removeLast() }
    $tasks.withLock { $0.append(Task(id: 4)) }
    trial.expect(trial.newerTasks().map { $0.due }, equals: [0, 6, 0])
  },
  Case("R19", "elements keep their members after a text that begins with white space or a mark") {
    trial in
    for (key, front) in [("space", " \n"), ("mark", "\u{FEFF}")] {
      trial.store[key] = front + #"[{"id":1,"due":5}]"# + "\n"
      @Shared(.localStorage(key)) var tasks: [Task] = []
      $tasks[id: 1]!.done.withLock { $0 = true }
      trial.expect(trial.store[key].map { UTF8Text($0) }, contains: #""due":5"#)
      trial.expect(trial.store.bytes(of: key)?.first == UInt8(ascii: "["), "\(key) is stored")
    }
  },
  Case("R19", "the members are those that the newer program has written last") { trial in
    @Shared(.localStorage("tasks")) var tasks = [Task(id: 1)]
    for due in 1...3 {
      trial.store["tasks"] = "[{\"id\":1,\"title\":\"\",\"done\":false,\"marks\":0,\"due\":\(due)}]"
      trial.store.notify("tasks")
      $tasks[id: 1]!.marks.withLock { $0 += 1 }
      trial.expect(trial.newerTasks().map { $0.due }, equals: [due])
    }
    trial.store["tasks"] = #"[{"id":1,"title":"","done":false,"marks":0}]"#
    trial.store.notify("tasks")
    $tasks[id: 1]!.marks.withLock { $0 += 1 }
    trial.expect(trial.store["tasks"], equals: #"[{"id":1,"title":"","done":false,"marks":1}]"#)
  },
  Case("R12", "a change that is undone writes nothing over members that the type does not have") {
    trial in
    let text =
      #"{"name":"Blob","age":1,"address":{"street":"Main","number":1},"scores":[],"new":0}"#
    trial.store["user"] = text
    @Shared(.localStorage("user")) var user = User()
    batch {
      $user.age.withLock { $0 = 2 }
      $user.age.withLock { $0 = 1 }
    }
    trial.expect(trial.store["user"], equals: text)
    trial.expect(trial.store.writeCount, equals: 0)
  },
  Case("R19", "members of a value that was removed do not come back with the next one") { trial in
    trial.store["user"] = #"{"name":"Blob","nick":"Bo"}"#
    @Shared(.localStorage("user")) var user: User? = nil
    $user.withLock { $0 = nil }
    $user.withLock { $0 = User() }
    trial.expect(
      trial.store["user"], equals: String(decoding: try! JSON.encode(User()), as: UTF8.self))
    trial.store["tasks"] = #"[{"id":1,"due":5}]"#
    @Shared(.localStorage("tasks")) var tasks: [Task] = []
    $tasks.reset()
    $tasks.withLock { $0 = [Task(id: 1)] }
    trial.expect(trial.newerTasks().map { $0.due }, equals: [0])
  },
  Case("R19", "a removed entry of a dictionary is not taken for a member that is to be kept") {
    trial in
    trial.store["users"] = #"{"a":{"name":"A","nick":"x"},"b":{"name":"B","nick":"y"}}"#
    @Shared(.localStorage("users")) var users: [String: User] = [:]
    $users.withLock { $0["a"] = nil }
    $users.withLock { $0["b"]?.age = 9 }
    let text = trial.store["users"].map { UTF8Text($0) }
    trial.expect(text, contains: #"{"b":{"name":"B","#)
    trial.expect(text, contains: #""nick":"y""#)
    trial.expect(text, contains: #""age":9"#)
  },
  Case("R19", "members of a removed part do not come back with its successor") { trial in
    trial.store["users"] = #"{"a":{"name":"A","nick":"x"},"b":{"name":"B","nick":"y"}}"#
    @Shared(.localStorage("users")) var users: [String: User] = [:]
    $users.withLock { $0["a"] = nil }
    $users.withLock { $0["a"] = User(name: "Other") }
    trial.expect(trial.newerNicks, equals: " y")
    trial.store["company"] = #"{"boss":{"name":"A","nick":"x"},"since":1900}"#
    @Shared(.localStorage("company")) var company = Company()
    $company.boss.withLock { $0 = nil }
    $company.boss.withLock { $0 = User(name: "Other") }
    let text = trial.store["company"].map { UTF8Text($0) }
    trial.expect(text, contains: #""name":"Other""#)
    trial.expect(text, contains: #""scores":[]},"since":1900}"#)
    trial.store["tasks"] = #"[{"id":1,"due":5},{"id":2,"due":6}]"#
    @Shared(.localStorage("tasks")) var tasks: [Task] = []
    $tasks.withLock { $0.removeFirst() }
    $tasks.withLock { $0.insert(Task(id: 1), at: 0) }
    trial.expect(trial.newerTasks().map { $0.due }, equals: [0, 6])
  },
  Case("R19", "members stay with their parts over many changes of other parts, and over a load") {
    trial in
    trial.store["tasks"] = #"[{"id":1,"due":5},{"id":2,"due":6},{"id":3,"due":7}]"#
    @Shared(.localStorage("tasks")) var tasks: [Task] = []
    for id in [1, 2, 1, 3] { $tasks[id: id]!.marks.withLock { $0 += 1 } }
    $tasks.load()
    for id in [3, 1] { $tasks[id: id]!.marks.withLock { $0 += 1 } }
    trial.expect(trial.newerTasks().map { $0.due }, equals: [5, 6, 7])
    trial.expect(trial.newerTasks().map { $0.marks }, equals: [3, 1, 2])
  },
  Case("R19", "a removal that is not stored leaves the members of its part, for a second thought") {
    trial in
    let users = #"{"a":{"name":"A","age":1,"address":{"street":"Main","number":1},"nick":"x"}}"#
    trial.store["users"] = users
    trial.store["user"] = #"{"name":"Blob","nick":"Bo"}"#
    do {
      @Shared(.localStorage("users")) var users: [String: User] = [:]
      @Shared(.localStorage("user")) var user: User? = nil
      let (former, formerUser) = (users, user)
      trial.store.failure = .denied
      $users.withLock { $0["a"] = nil }
      $user.withLock { $0 = nil }
      trial.expect($users.saveError != nil && $user.saveError != nil, "they are saved")
      trial.store.failure = nil
      $users.withLock { $0 = former }
      $user.withLock { $0 = formerUser }
    }
    trial.expect(trial.newerNicks, equals: "x")
    trial.expect(trial.store["user"].map { UTF8Text($0) }, contains: #""nick":"Bo""#)
  },
  Case("R19", "members of a removed part of a debounced value are gone once that is written") {
    trial in
    trial.store["users"] = #"{"a":{"name":"A","nick":"x"},"b":{"name":"B","nick":"y"}}"#
    let saving = SaveTiming.debounced(milliseconds: 100)
    @Shared(.localStorage("users", saving: saving)) var users: [String: User] = [:]
    $users.withLock { $0["a"] = nil }
    trial.environment.stores.flush()
    $users.withLock { $0["a"] = User(name: "Other") }
    trial.environment.stores.flush()
    trial.expect(trial.newerNicks, equals: " y")
  },
  Case("R25", "members of a removed element do not come back in a revision store") { trial in
    for isOffline in [false, true] {
      let programs = Programs(2)
      let (old, new) = (programs[0].tasks(), programs[1].newerTasks())
      programs[1].run {
        new.withLock { $0 = [NewerTask(id: 1, due: 5), NewerTask(id: 2, due: 6)] }
      }
      programs.deliverAll()
      programs.database.isOffline = isOffline
      programs[0].run { old.withLock { $0 = [$0[1]] } }
      programs.deliverAll()
      programs[0].run { old.withLock { $0.insert(Task(id: 1), at: 0) } }
      if isOffline { programs.deliverAll() }
      programs.database.isOffline = false
      programs[1].run { new[id: 2]!.title.withLock { $0 = "theirs" } }
      programs.deliver(to: programs[1])
      programs[0].run { programs[0].clock.advance(by: 60_000) }
      programs.deliverAll()
      trial.expect(new.wrappedValue.map { $0.due }, equals: [0, 6])
      trial.expect(new.wrappedValue[1].title, equals: "theirs")
    }
  },
  Case("R25", "members of a list's only element do not come back, its removal committed or not") {
    trial in
    for isCommitted in [false, true] {
      let programs = Programs(2)
      let (old, new) = (programs[0].tasks(), programs[1].newerTasks())
      programs[1].run { new.withLock { $0 = [NewerTask(id: 1, due: 5)] } }
      programs.deliverAll()
      programs[0].run { old.withLock { $0 = [] } }
      if isCommitted { programs.deliverAll() }
      programs[0].run { old.withLock { $0 = [Task(id: 1)] } }
      programs.deliverAll()
      trial.expect(new.wrappedValue.map { $0.due }, equals: [0])
    }
  },
  Case("R19", "a name that is written with escapes is that of its field") { trial in
    trial.store["user"] = #"{"n\u0061me":"Blob","nick":"Bo"}"#
    @Shared(.localStorage("user")) var user = User()
    $user.name.withLock { $0 = "Zoe" }
    trial.inAnotherProgram {
      @Shared(.localStorage("user")) var user = User()
      trial.expect(user.name, equals: "Zoe")
    }
    trial.expect(trial.store["user"].map { UTF8Text($0) }, contains: #""nick":"Bo""#)
  },
  Case("R19", "members are kept in a value with a version, and dropped by a migration") { trial in
    trial.store["tasks"] = #"{"$version":2,"value":[{"id":1,"due":5}]}"#
    let same = [StorageMigration(from: 2) { (old: [Task]) in old }]
    do {
      @Shared(.localStorage("tasks", version: 2)) var tasks: [Task] = []
      $tasks[id: 1]!.done.withLock { $0 = true }
      trial.expect(trial.store["tasks"].map { UTF8Text($0) }, contains: #""due":5"#)
    }
    trial.inAnotherProgram {
      @Shared(.localStorage("tasks", version: 3, migrations: same)) var tasks: [Task] = []
      $tasks[id: 1]!.done.withLock { $0 = false }
    }
    let text = #"{"$version":3,"value":[{"id":1,"title":"","done":false,"marks":0}]}"#
    trial.expect(trial.store["tasks"], equals: text)
  },
  Case("R25", "an older program keeps members in a revision store, by updates and by withLock") {
    trial in
    let programs = Programs(2)
    let (old, new) = (programs[0].tasks(), programs[1].newerTasks())
    programs[1].run { new.withLock { $0 = [NewerTask(id: 1, due: 5), NewerTask(id: 2, due: 6)] } }
    programs.deliverAll()
    programs[0].run { old[id: 1]!.done.withLock { $0 = true } }
    programs.deliverAll()
    trial.expect(new.wrappedValue.map { $0.due }, equals: [5, 6])
    programs[0].run { old[id: 2]!.marks.update { $0 += 1 } }
    programs.deliverAll()
    trial.expect(new.wrappedValue.map { $0.due }, equals: [5, 6])
    trial.expect(new.wrappedValue.map { $0.marks }, equals: [0, 1])
    trial.expect(new.wrappedValue[0].done, "the change is not there")
  },
  Case("R25", "what both change at the same moment merges with members that one does not have") {
    trial in
    for isUpdate in [false, true] {
      let programs = Programs(2)
      let (old, new) = (programs[0].tasks(), programs[1].newerTasks())
      programs[1].run {
        new.withLock { $0 = [NewerTask(id: 1, due: 5), NewerTask(id: 2, due: 6)] }
      }
      programs.deliverAll()
      programs[1].run { new[id: 1]!.due.withLock { $0 = 7 } }
      programs[0].run {
        if isUpdate {
          old[id: 1]!.marks.update { $0 += 1 }
        } else {
          old[id: 1]!.marks.withLock { $0 += 1 }
        }
      }
      programs.deliver(to: programs[1])
      programs.deliverAll()
      trial.expect(new.wrappedValue.map { $0.due }, equals: [7, 6])
      trial.expect(new.wrappedValue.map { $0.marks }, equals: [1, 0])
      trial.expect(old.loadError == nil && new.loadError == nil, "something is lost")
      trial.expect(programs.issues.isEmpty, "an update is said to be impure")
    }
  },
  Case("R25", "an update of an element without an id is not reported as impure") { trial in
    let programs = Programs(2)
    let (old, new) = (programs[0].pairs(), programs[1].newerPairs())
    programs[1].run { new.withLock { $0 = [NewerPair(left: 1, due: 5), NewerPair(left: 2)] } }
    programs.deliverAll()
    programs[1].run { new[0].due.withLock { $0 = 6 } }
    programs.deliverAll()
    programs[0].run { old[1].left.update { $0 += 1 } }
    programs.deliverAll()
    trial.expect(new.wrappedValue.map { $0.left }, equals: [1, 3])
    trial.expect(programs.issues.isEmpty, "an update is said to be impure")
  },
  Case("R28", "what an older program has left in a journal keeps members when it is recovered") {
    trial in
    let programs = Programs(2)
    let (old, new) = (programs[0].tasks(), programs[1].newerTasks())
    programs[1].run { new.withLock { $0 = [NewerTask(id: 1, due: 5)] } }
    programs.deliverAll()
    programs[0].run {
      old[id: 1]!.done.withLock { $0 = true }
      old[id: 1]!.marks.update { $0 += 1 }
    }
    programs.crash(0)
    programs[1].run { new[id: 1]!.due.withLock { $0 = 6 } }
    programs.deliverAll()
    let next = programs[0].tasks()
    programs.deliverAll()
    programs[0].run { programs[0].clock.advance(by: 1000) }
    programs.deliverAll()
    let wanted = [NewerTask(id: 1, done: true, marks: 1, due: 6)]
    trial.expect(new.wrappedValue == wanted, "\(programs.text("tasks") ?? "nil")")
    trial.expect(next.wrappedValue[0].marks, equals: 1)
  },
  Case(
    "R25", "a value that is taken over from an old key keeps members that its type does not have"
  ) {
    trial in
    let programs = Programs(1)
    programs.journals.store.set(UTF8Text(#"[{"id":1,"due":5}]"#).bytes, for: "old")
    let tasks = programs[0].run {
      Shared<[Task]>(
        wrappedValue: [],
        .revisions("tasks", in: programs[0].connection, adopting: .localStorage("old")))
    }
    programs.deliverAll()
    programs[0].run { tasks[id: 1]!.done.withLock { $0 = true } }
    programs.deliverAll()
    trial.expect(programs.text("tasks"), contains: #""due":5"#)
    trial.expect(programs.text("tasks"), contains: #""done":true"#)
  },
]

extension Trial {
  /// Returns the tasks in the store, decoded by a newer version of the program.
  fileprivate func newerTasks() -> [NewerTask] {
    let text = store["tasks"].map { UTF8Text($0).bytes } ?? []
    return (try? JSON.decode([NewerTask].self, from: text)) ?? []
  }

  /// The nicks of the stored users `a` and `b`, decoded by a newer version of the program.
  fileprivate var newerNicks: String {
    let text = store["users"].map { UTF8Text($0).bytes } ?? []
    let users = (try? JSON.decode([String: NewerUser].self, from: text)) ?? [:]
    return ["a", "b"].compactMap { users[$0]?.nick }.joined(separator: " ")
  }
}

extension Program {
  fileprivate func newerTasks() -> Shared<[NewerTask]> {
    run { Shared(wrappedValue: [], .revisions("tasks", in: connection)) }
  }

  fileprivate func pairs() -> Shared<[Pair]> {
    run { Shared(wrappedValue: [], .revisions("pairs", in: connection)) }
  }

  fileprivate func newerPairs() -> Shared<[NewerPair]> {
    run { Shared(wrappedValue: [], .revisions("pairs", in: connection)) }
  }
}

/// An element without an id.
private struct Pair: JSONCodable, Equatable {
  var left = 0

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("left", &left)
  }
}

/// The ``Pair`` of a newer version of the program.
private struct NewerPair: JSONCodable, Equatable {
  var left = 0
  var due = 0

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("left", &left)
    try json.field("due", &due)
  }
}

/// The ``Task`` of a newer version of the program.
private struct NewerTask: JSONCodable, Identifiable, Equatable {
  var id = 0
  var title = ""
  var done = false
  var marks = 0
  var due = 0

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("id", &id)
    try json.field("title", &title)
    try json.field("done", &done)
    try json.field("due", &due)
    try json.field("marks", &marks)
  }
}

/// A part of the ``User`` of a newer version of the program.
private struct NewerUser: JSONCodable {
  var nick = ""

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("nick", &nick)
  }
}

/// A value with an optional part.
private struct Company: JSONCodable, Equatable {
  var boss: User?

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("boss", &boss)
  }
}
