import SharingCommits
import SharingCore
import SimulatedPrograms
import WasiStorage

extension Case {
  static let versions: [Case] = [
    Case("R19", "a value of version 1 goes through all migrations in order") { trial in
      trial.store["notes"] = #"["tea","milk"]"#
      @Shared(.notes) var notes = []
      trial.expect(notes.count, equals: 2)
      trial.expect(notes.last?.title, equals: "milk")
      trial.expect(notes.last?.length ?? 0, equals: 4)
    },
    Case("R19", "a value of version 2 goes through the migrations from there on") { trial in
      trial.store["notes"] = #" { "$version" : 2 , "value" : [ {"title":"tea"} ] } "#
      @Shared(.notes) var notes = []
      trial.expect(notes.first?.title, equals: "tea")
      trial.expect(notes.first?.length ?? 0, equals: 3)
    },
    Case("R19", "what was migrated is written with the next change, with its version") { trial in
      trial.store["notes"] = #"["tea"]"#
      @Shared(.notes) var notes = []
      trial.expect(trial.store["notes"], equals: #"["tea"]"#)
      $notes.withLock { $0[0].length = 9 }
      let text = #"{"$version":3,"value":[{"title":"tea","length":9}]}"#
      trial.expect(trial.store["notes"], equals: text)
      trial.inAnotherProgram {
        @Shared(.notes) var notes = []
        trial.expect(notes.first?.length ?? 0, equals: 9)
      }
    },
    Case("R19", "a newer version is not shown and not overwritten, and it is said") { trial in
      let text = #"{"$version":4,"value":"who knows"}"#
      trial.store["notes"] = text
      @Shared(.notes) var notes = []
      trial.expect(notes.count, equals: 0)
      trial.expect($notes.loadError.map(reason) == .newerVersion(4), "it is not said")
      trial.expect($notes.loadError.map(details), contains: "\"notes\"")
      for _ in 1...2 {
        $notes.withLock { $0.append(Note(title: "mine")) }
        trial.expect(trial.store["notes"], equals: text)
        trial.expect($notes.saveError.map(reason) == .newerVersion(4), "it is not said")
      }
      trial.expect(notes.count, equals: 2)
      trial.expect(trial.store["notes.corrupt"], equals: nil)
    },
    Case("R15", "a reset replaces what another release has stored, and keeps a copy") { trial in
      for (number, text) in [#"{"$version":4,"value":"who knows"}"#, #"{"title":7}"#].enumerated() {
        let key = "notes \(number)"
        trial.store[key] = text
        let notes = Shared(wrappedValue: [Note](), .notes(key))
        notes.withLock { $0.append(Note(title: "mine")) }
        trial.store.failure = .quotaExceeded
        notes.reset()
        trial.expect(notes.saveError.map(reason) == .quotaExceeded, "it is not said")
        notes.withLock { $0.append(Note(title: "mine")) }
        trial.store.failure = nil
        notes.withLock { $0.append(Note(title: "mine, too")) }
        trial.expect(trial.store[key], equals: text)
        notes.reset()
        trial.expect(notes.saveError == nil, "it is not reset")
        trial.expect(notes.wrappedValue.count, equals: 0)
        trial.expect(trial.store[key], equals: nil)
        trial.expect(trial.store.replaced(key), equals: text)
        notes.withLock { $0.append(Note(title: "mine")) }
        trial.expect(notes.saveError == nil && notes.loadError == nil, "it is not saved")
        trial.expect(trial.store["\(key).replaced.2"], equals: nil)
      }
    },
    Case("R19", "a key without a version neither shows nor overwrites a newer one") { trial in
      let text = #"{"$version":2,"value":{"name":"Ada"}}"#
      trial.store["user"] = text
      @Shared(.localStorage("user")) var user = User()
      trial.expect($user.loadError.map(reason) == .newerVersion(2), "it is not said")
      trial.expect($user.loadError.map(details), contains: "This program supports version 1")
      $user.withLock { $0.age = 36 }
      trial.expect($user.saveError.map(reason) == .newerVersion(2), "it is not said")
      trial.expect(trial.store["user"], equals: text)
      trial.expect(trial.store["user.corrupt"], equals: nil)
    },
    Case("R19", "so does every other coding that knows no versions") { trial in
      let text = #" {"$version":7,"value":[]}"#
      let keys = ["list", "names", "number", "scores", "own"]
      for key in keys { trial.store[key] = text }
      @Shared(.localStorage("list")) var list: [User] = []
      @Shared(.appStorage("names")) var names: [String] = []
      @Shared(.appStorage("number")) var number = 0
      @Shared(.localStorage("scores")) var scores: [String: [Int]] = [:]
      @Shared(.localStorage("own", coding: .carefree)) var own = 0
      $list.withLock { $0.append(User()) }
      $names.withLock { $0.append("Ada") }
      $number.withLock { $0 += 1 }
      $scores.withLock { $0["a"] = [1] }
      $own.withLock { $0 += 1 }
      let errors = [
        $list.saveError, $names.saveError, $number.saveError, $scores.saveError, $own.saveError,
      ]
      for (key, error) in zip(keys, errors) {
        trial.expect(error.map(reason) == .newerVersion(7), "\(key): another error, or none")
        trial.expect(trial.store[key], equals: text)
        trial.expect(trial.store["\(key).corrupt"], equals: nil)
      }
    },
    Case("R19", "a newer version that comes later is not overwritten either") { trial in
      let text = #"{"$version":2,"value":{"name":"Ada"}}"#
      @Shared(.localStorage("user")) var user = User()
      $user.withLock { $0.age = 36 }
      trial.store["user"] = text
      $user.withLock { $0.age = 37 }
      trial.expect(trial.store["user"], equals: text)
      trial.expect($user.saveError.map(reason) == .newerVersion(2), "it is not said")
    },
    Case("R19", "a value that would be read as a newer version is not saved") { trial in
      @Shared(.localStorage("scores")) var scores: [String: Int] = [:]
      @Shared(.localStorage("own", coding: .careful)) var own: [UInt8] = []
      @Shared(.localStorage("text")) var text = ""
      $scores.withLock { $0 = ["a": 1] }
      $scores.withLock { $0 = ["$version": 2, "value": 3] }
      $own.withLock { $0 = Array(#"{"$version":2}"#.utf8) }
      $text.withLock { $0 = #"{"$version":2,"value":3}"# }
      for error in [$scores.saveError, $own.saveError] {
        trial.expect(error.map(reason) == .unencodable, "it is not said")
        trial.expect(error.map(details), contains: "\"$version\", which is reserved")
      }
      trial.expect(trial.store["scores"], equals: #"{"a":1}"#)
      trial.expect(trial.store["own"], equals: nil)
      trial.expect($text.saveError == nil, "a text is no object")
      trial.inAnotherProgram {
        @Shared(.localStorage("text")) var text = ""
        trial.expect(text, equals: #"{"$version":2,"value":3}"#)
      }
    },
    Case("R19", "a committed value without a version leaves a newer one as it is") { trial in
      let store = MemoryRevisionStore()
      let text = #"{"$version":2,"value":7}"#
      let entry = CommitEntry(key: KeyName("count"), expected: nil, bytes: Array(text.utf8))
      let commit = Commit(client: "newer", after: 0, through: 1, entries: [entry])
      store.commit(commit, rebase: { _, _ in nil }) { _ in }
      let programs = Programs(1, over: store)
      let count = programs[0].count()
      programs.deliverAll()
      trial.expect(count.loadError.map(reason) == .newerVersion(2), "it is not said")
      programs[0].run { count.withLock { $0 = 5 } }
      programs[0].run { count.update { $0 += 1 } }
      programs.deliverAll()
      trial.expect(programs.text("count")?.description, equals: text)
      trial.expect(count.saveError.map(reason) == .waiting, "it is not said")
      trial.expect(programs.text("count.replaced") == nil, "the changes do not wait")
      trial.expect(count.isSaving && count.wrappedValue == 6, "the changes are not shown")
      let outcomes = Log()
      programs[0].run { count.save { outcomes.append($0.isSuccess ? 1 : 0) } }
      programs.deliverAll()
      trial.expect(outcomes.numbers, equals: [0])
      trial.expect(count.saveError.map(reason) == .waiting, "the error is gone")
    },
    Case("R19", "when the newer value is gone, or replaced, all is well again") { trial in
      trial.store["notes"] = #"{"$version":4,"value":"who knows"}"#
      @Shared(.notes) var notes = []
      trial.store["notes"] = #"["tea"]"#
      trial.store.notify("notes")
      trial.expect(notes.count, equals: 1)
      trial.expect($notes.loadError == nil, "the error stays")
      $notes.withLock { $0 = [] }
      trial.expect(trial.store["notes"], equals: #"{"$version":3,"value":[]}"#)
    },
    Case("R19", "nor is it the reason why something later cannot be saved") { trial in
      trial.store["count"] = #"{"$version":2,"value":7}"#
      @Shared(.localStorage("count", version: 1)) var count = 0
      trial.store["count"] = "5"
      trial.store.notify("count")
      trial.store["count"] = "6"
      trial.store.failingReads = 1
      $count.withLock { $0 += 1 }
      trial.expect(trial.store["count"], equals: "6")
      trial.expect($count.saveError.map(reason) == .other, "another error, or none")
    },
    Case("R19", "what was there before the newer value does not come back") { trial in
      trial.store["notes"] = #"["tea"]"#
      @Shared(.notes) var notes = []
      trial.store["notes"] = #"{"$version":4,"value":"who knows"}"#
      $notes.withLock { $0.append(Note(title: "mine")) }
      trial.store["notes"] = nil
      trial.store.failingReads = 1
      $notes.withLock { $0.append(Note(title: "mine")) }
      trial.expect(trial.store["notes"], equals: nil)
      $notes.withLock { $0.append(Note(title: "mine")) }
      trial.expect(notes.count, equals: 1)
      trial.expect($notes.loadError.map(reason) == .replaced, "the lost changes are not said")
    },
    Case("R19", "a migration that throws leaves the stored value as it is") { trial in
      trial.store["notes"] = #"["tea","bad"]"#
      @Shared(.notes) var notes = []
      trial.expect($notes.loadError.map(reason) == .notMigrated, "it is not said")
      trial.expect($notes.loadError.map(details), contains: "is of version 1")
      trial.expect($notes.loadError.map(details), contains: "a bad note")
      $notes.withLock { $0.append(Note(title: "mine")) }
      trial.expect(trial.store["notes"], equals: #"["tea","bad"]"#)
      trial.expect($notes.saveError.map(reason) == .notMigrated, "it is not said")
    },
    Case("R19", "so does a migration that is missing") { trial in
      trial.store["notes"] = #"["tea"]"#
      @Shared(.localStorage("notes", version: 3)) var notes: [Note] = []
      trial.expect($notes.loadError.map(details), contains: "no migration from this version")
      $notes.withLock { $0.append(Note(title: "mine")) }
      trial.expect(trial.store["notes"], equals: #"["tea"]"#)
    },
    Case("R15", "a versioned text that is damaged is set aside like any other") { trial in
      let damaged = [
        (#"{"$version":3,"value":[}"#, 23), (#"{"$version":3,"value":[]"#, 24),
        (#"{"$version":3,"value":[]} "x""#, 26), ("{", 0), ("", 0), (#"["tea"] ["milk"]"#, 8),
      ]
      for (number, (text, offset)) in damaged.enumerated() {
        trial.store["notes \(number)"] = text
        let notes = Shared(wrappedValue: [Note](), .notes("notes \(number)"))
        trial.expect(
          notes.loadError.map(reason) == .corrupt(offset: offset),
          "\(text): \(notes.loadError.map { details(of: $0).description } ?? "is taken")")
        trial.expect(trial.store["notes \(number).corrupt"], equals: text)
      }
    },
    Case("R15", "a versioned text of another form stays where it is") { trial in
      let others = [
        (#"{"$version":"3","value":[]}"#, 12), (#"{"$version":3,"title":[]}"#, 22),
        (#"{"$version":3,"value":[],"value":[]}"#, 25), (#"{"$version":2,"value":7}"#, 22),
        ("[1]", 1), (#"{"$version":2,"value":[],"x":1}"#, 25),
      ]
      for (number, (text, offset)) in others.enumerated() {
        trial.store["notes \(number)"] = text
        let notes = Shared(wrappedValue: [Note](), .notes("notes \(number)"))
        trial.expect(notes.loadError.map(reason) == .unreadable(offset: offset), text)
        notes.withLock { $0.append(Note(title: "mine")) }
        trial.expect(notes.saveError.map(reason) == .unreadable(offset: offset), text)
        trial.expect(trial.store["notes \(number)"], equals: text)
        trial.expect(trial.store["notes \(number).corrupt"], equals: nil)
      }
    },
    Case("R19", "so is an object of version 1, whatever its members are") { trial in
      for text in [#"{"name":"Ada","age":7}"#, #"{"age":7}"#, "{}"] {
        trial.store["age"] = text
        @Shared(.age) var age = 0
        trial.expect(age, equals: text.utf8.count == 2 ? 1 : 7)
        trial.expect($age.loadError == nil, "\(text) is damaged")
      }
    },
    Case("R19", "version 1 is plain JSON") { trial in
      @Shared(.localStorage("count", version: 1)) var count = 0
      $count.withLock { $0 = 3 }
      trial.expect(trial.store["count"], equals: "3")
      @Shared(.sessionStorage("name", coding: .json(version: 2))) var name: String?
      $name.withLock { $0 = "Ada" }
      trial.expect(
        trial.environment.stores.session, "name", equals: #"{"$version":2,"value":"Ada"}"#)
      $name.withLock { $0 = nil }
      trial.expect(trial.environment.stores.session, "name", equals: nil)
    },
  ]
}

extension StorageCoding where Value == Int {
  /// Decodes every text as 0, so that encoding loses its contents.
  fileprivate static var carefree: StorageCoding {
    StorageCoding(encode: { [UInt8](UTF8Text("\($0)").bytes) }, decode: { _ in 0 })
  }
}

extension StorageCoding<[UInt8]> {
  /// The bytes themselves.
  fileprivate static var careful: StorageCoding { StorageCoding(encode: { $0 }, decode: { $0 }) }
}

/// Version 3.
private struct Note: JSONCodable {
  var title = ""
  var length = 0

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("title", &title)
    try json.field("length", &length)
  }
}

private struct NoteV2: JSONCodable {
  var title = ""

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("title", &title)
  }
}

extension SharedReaderKey where Self == LocalStorageKey<Int> {
  /// Version 1 stored a user; only the age is still needed.
  fileprivate static var age: Self {
    .localStorage(
      "age", version: 2, migrations: [StorageMigration(from: 1) { (old: User) in old.age }])
  }
}

extension SharedReaderKey where Self == LocalStorageKey<[Note]> {
  fileprivate static var notes: Self { .notes("notes") }

  fileprivate static func notes(_ name: String) -> Self {
    .localStorage(
      name, version: 3,
      migrations: [
        StorageMigration(from: 1) { (old: [String]) throws(AnyError) in
          if old.contains(where: { $0.utf8.elementsEqual("bad".utf8) }) {
            throw StorageError(.other, key: nil, "This is a bad note.")
          }
          return old.map { NoteV2(title: $0) }
        },
        StorageMigration(from: 2) { (old: [NoteV2]) in
          old.map { Note(title: $0.title, length: $0.title.utf8.count) }
        },
      ])
  }
}
