import SharingCommits
import SharingCore
import SharingTestDoubles
import SimulatedPrograms
import SimulatedRevisions
import WasiStorage

extension Case {
  static let keys: [Case] = [
    Case("R17", "a prefix stands before the name in the store") { trial in
      @Shared(.localStorage("count", prefix: "app/")) var count = 0
      $count.withLock { $0 = 3 }
      trial.expect(trial.store["app/count"], equals: "3")
      trial.expect(trial.store["count"], equals: nil)
      @Shared(.localStorage("app/count")) var same = 0
      trial.expect(same, equals: 3)
    },
    Case("R1", "the session's items are not the local ones") { trial in
      @Shared(.localStorage("count")) var local = 1
      @Shared(.sessionStorage("count")) var session = 2
      $session.withLock { $0 = 5 }
      trial.expect(local, equals: 1)
      trial.expect(trial.store.writeCount, equals: 0)
      trial.expect(trial.store["count"], equals: nil)
      @Shared(.sessionStorage("count")) var same = 0
      trial.expect(same, equals: 5)
    },
    Case("R14", "an event of one storage area is none of the other's") { trial in
      let session = ScriptedStore(over: MemoryStore())
      trial.environment.stores.session = session
      @Shared(.localStorage("count")) var local = 1
      @Shared(.sessionStorage("count")) var other = 2
      trial.store["count"] = "5"
      session.notify("count")
      trial.expect(local, equals: 1)
      trial.store.notify("count")
      trial.expect(local, equals: 5)
      trial.expect(other, equals: 2)
    },
    Case("R11", "a generic key that saves only where its base does saves there") { trial in
      @Shared(LoggedKey(base: .localStorage("count"))) var count = 0
      @SharedReader(LoggedKey(base: .localStorage("count"))) var reader = 0
      $count.withLock { $0 = 3 }
      trial.expect($count.saveError == nil, "it is not saved")
      trial.expect(trial.store["count"], equals: "3")
      trial.expect(reader, equals: 3)
      $count.reset()
      trial.expect(trial.store["count"], equals: nil)
    },
    Case("R11", "an encoding of one's own is what is stored") { trial in
      @Shared(.localStorage("name", coding: .reversed)) var name: [UInt8] = []
      $name.withLock { $0 = [0x41, 0x42] }
      trial.expect(trial.store["name"], equals: "BA")
      trial.inAnotherProgram {
        @Shared(.localStorage("name", coding: .reversed)) var name: [UInt8] = []
        trial.expect(name == [0x41, 0x42], "the name is not the same")
      }
      $name.withLock { $0 = [] }
      trial.expect(trial.store["name"], equals: nil)
    },
    Case("R15", "what an encoding of one's own cannot read is kept aside") { trial in
      trial.store["name"] = "!"
      @Shared(.localStorage("name", coding: .reversed)) var name: [UInt8] = []
      trial.expect($name.loadError.map(details), contains: "no exclamation mark")
      trial.expect(trial.store["name.corrupt"], equals: "!")
    },
    Case("R16", "what an encoding of one's own cannot write leaves the stored bytes alone") {
      trial in
      trial.store["name"] = "A"
      @Shared(.localStorage("name", coding: .reversed)) var name: [UInt8] = []
      $name.withLock { $0 = [0x21] }
      trial.expect($name.saveError.map(details), contains: "\"name\": no exclamation mark")
      trial.expect(trial.store["name"], equals: "A")
    },
  ]

  static let nothing: [Case] = [
    Case("R17", "nil is kept where the default is another value") { trial in
      trial.environment.stores.files = trial.store
      @Shared(.localStorage("limit")) var limit: Int? = 5
      @Shared(.sessionStorage("visit", coding: .json(version: 2))) var visit: Int? = 5
      @Shared(.appStorage("size")) var size: Int? = 5
      @Shared(.fileStorage("limit.json")) var document: Int? = 5
      $limit.withLock { $0 = nil }
      $visit.withLock { $0 = nil }
      $size.withLock { $0 = nil }
      $document.withLock { $0 = nil }
      trial.expect(trial.store["limit"], equals: "null")
      trial.expect(trial.store["size"], equals: "null")
      trial.expect(trial.store["limit.json"], equals: "null")
      trial.expect(
        trial.environment.stores.session, "visit", equals: #"{"$version":2,"value":null}"#)
      trial.inAnotherProgram {
        @Shared(.localStorage("limit")) var limit: Int? = 5
        @Shared(.appStorage("size")) var size: Int? = 5
        trial.expect(limit == nil, "\(limit ?? 0)")
        trial.expect(size == nil, "\(size ?? 0)")
        $limit.reset()
        trial.expect(limit ?? 0, equals: 5)
      }
      trial.store.notify("limit")
      trial.expect(limit ?? 0, equals: 5)
      trial.expect(trial.store["limit"], equals: nil)
      for shared in [$limit, $visit, $size, $document] {
        shared.load()
        trial.expect(shared.loadError == nil && shared.saveError == nil, "there is an error")
      }
      trial.expect(visit == nil, "\(visit ?? 0)")
      trial.expect(size == nil, "\(size ?? 0)")
      trial.expect(document == nil, "\(document ?? 0)")
    },
    Case("R17", "so it is for a key with a default of its own, debounced, and of raw values") {
      trial in
      let clock = ManualClock()
      trial.environment.stores.clock = clock
      @Shared(.limit) var limit
      @Shared(.localStorage("soon", saving: .debounced(milliseconds: 10))) var soon: Int? = 5
      @Shared(.appStorage("level")) var level: Level? = .high
      $limit.withLock { $0 = nil }
      $soon.withLock { $0 = nil }
      $level.withLock { $0 = nil }
      clock.advance(by: 10)
      for key in ["limit", "soon", "level"] { trial.expect(trial.store[key], equals: "null") }
      trial.inAnotherProgram {
        @Shared(.appStorage("level")) var level: Level? = .high
        trial.expect(level == nil, "another level")
      }
    },
    Case("R17", "so it is for a committed value, also where others have changed it") { trial in
      let programs = Programs(2)
      let (mine, theirs) = (programs[0].limit(), programs[1].limit())
      programs.deliverAll()
      programs[0].run { mine.withLock { $0 = nil } }
      programs.deliverAll()
      trial.expect(programs.text("limit")?.description, equals: "null")
      trial.expect(theirs.wrappedValue == nil, "it is \(theirs.wrappedValue ?? 0)")
      programs[1].run { theirs.withLock { $0 = 7 } }
      programs.deliverAll()
      programs[1].run { theirs.update { $0 = nil } }
      programs[0].run { mine.update { $0 = nil } }
      programs.deliverAll()
      trial.expect(mine.wrappedValue == nil, "it is \(mine.wrappedValue ?? 0)")
      programs.crash(0)
      let again = programs[0].limit()
      programs.deliverAll()
      trial.expect(again.wrappedValue == nil, "it is \(again.wrappedValue ?? 0)")
    },
  ]

  static let fileStorage: [Case] = [
    Case("R11", "a document is kept as JSON by its path") { trial in
      trial.environment.stores.files = trial.store
      @Shared(.fileStorage("notes/today.json")) var notes: [Int] = []
      $notes.withLock { $0 = [1, 2] }
      trial.expect(trial.store["notes/today.json"], equals: "[1,2]")
      trial.inAnotherProgram {
        SharingEnvironment.current.stores.files = trial.store
        @SharedReader(.fileStorage("notes/today.json")) var notes: [Int] = []
        trial.expect(notes, equals: [1, 2])
      }
      $notes.reset()
      trial.expect(trial.store["notes/today.json"], equals: nil)
    },
    Case("R11", "a document may have an encoding of its own, or a version") { trial in
      trial.environment.stores.files = trial.store
      trial.store["letters"] = "BA"
      @Shared(.letters) var letters: [UInt8] = []
      $letters.withLock { $0.append(0x43) }
      trial.expect(trial.store["letters"], equals: "CBA")
      @Shared(.fileStorage("count", coding: .json(version: 2))) var count = 0
      $count.withLock { $0 = 1 }
      trial.expect(trial.store["count"], equals: #"{"$version":2,"value":1}"#)
    },
    Case("R15", "a document that does not decode is kept beside its path") { trial in
      trial.environment.stores.files = trial.store
      trial.store["notes.json"] = "["
      @Shared(.fileStorage("notes.json")) var notes: [Int] = []
      trial.expect($notes.loadError != nil, "no error")
      trial.expect(trial.store["notes.json.corrupt"], equals: "[")
    },
    Case("R15", "a document of zero bytes, or of a byte order mark, is nothing, and no damage") {
      trial in
      trial.environment.stores.files = trial.store
      for (path, nothing) in [("notes.json", ""), ("marked.json", "\u{FEFF}")] {
        trial.store[path] = nothing
        @Shared(.fileStorage(path)) var notes = [7]
        trial.expect(notes, equals: [7])
        trial.expect($notes.loadError == nil, "there is an error")
        trial.expect(trial.store[path], equals: nothing)
        $notes.withLock { $0.append(8) }
        trial.expect(trial.store[path], equals: "[7,8]")
        trial.store[path] = nothing
        trial.store.notify(path)
        trial.expect(notes, equals: [7])
        trial.expect($notes.loadError == nil, "there is an error")
        trial.expect(trial.store[path + ".corrupt"], equals: nil)
      }
    },
    Case("R11", "zero bytes that an encoding of one's own has written come back") { trial in
      trial.environment.stores.files = trial.store
      @Shared(.letters) var letters: [UInt8] = [0x41]
      $letters.withLock { $0 = [] }
      trial.expect(trial.store["letters"], equals: "")
      trial.inAnotherProgram {
        SharingEnvironment.current.stores.files = trial.store
        @Shared(.letters) var letters: [UInt8] = [0x41]
        trial.expect(letters.count, equals: 0)
      }
    },
  ]

  static let following: [Case] = [
    Case("R13", "a value that follows nobody keeps its own, and is written over others'") { trial in
      trial.environment.stores.files = trial.store
      for kind in Search.kinds {
        trial.store[kind.name] = kind.text("a")
        let search = kind.make(.never)
        trial.store[kind.name] = kind.text("b")
        trial.store.notify(kind.name)
        trial.expect(search.wrappedValue, equals: "a")
        search.withLock { $0 += "c" }
        trial.expect(trial.store[kind.name], equals: kind.text("ac"))
        trial.inAnotherProgram {
          SharingEnvironment.current.stores.files = trial.store.sibling()
          trial.expect(kind.make(.never).wrappedValue, equals: "ac")
        }
      }
    },
    Case("R13", "a value that follows nobody is read anew when that is asked for") { trial in
      @Shared(.localStorage("search", following: .never)) var search = ""
      trial.store["search"] = #""b""#
      trial.expect(search, equals: "")
      $search.load()
      trial.expect(search, equals: "b")
      $search.reset()
      trial.expect(trial.store["search"], equals: nil)
    },
    Case("R1", "wrappers of one item share a value, whether the first follows or not") { trial in
      @Shared(.localStorage("search", following: .never)) var search = ""
      @Shared(.localStorage("search")) var same = ""
      trial.store["search"] = #""b""#
      trial.store.notify("search")
      trial.expect(same, equals: "")
      $same.withLock { $0 = "c" }
      trial.expect(search, equals: "c")
    },
    Case("R12", "a change that is put off is written over others' where nobody is followed") {
      trial in
      let clock = ManualClock()
      trial.environment.stores.clock = clock
      @Shared(.localStorage("search", saving: .debounced(milliseconds: 5), following: .never))
      var search = ""
      $search.withLock { $0 = "mine" }
      trial.store["search"] = #""theirs""#
      trial.store.notify("search")
      clock.advance(by: 5)
      trial.expect(search, equals: "mine")
      trial.expect(trial.store["search"], equals: #""mine""#)
      trial.expect(trial.store["search.replaced"], equals: nil)
    },
    Case("R15", "damage is kept aside where nobody is followed, too") { trial in
      trial.store["search"] = "{"
      @Shared(.localStorage("search", following: .never)) var search = ""
      $search.withLock { $0 = "mine" }
      trial.expect(trial.store["search.corrupt"], equals: "{")
      trial.expect(trial.store["search"], equals: #""mine""#)
    },
  ]

  static let appStorage: [Case] = [
    Case("R1", "app storage is local storage under another name") { trial in
      @Shared(.appStorage("name")) var name = ""
      @Shared(.localStorage("name")) var same = ""
      $name.withLock { $0 = "Ada" }
      trial.expect(same, equals: "Ada")
      trial.expect(trial.store["name"], equals: #""Ada""#)
      $same.withLock { $0 = "Bob" }
      trial.expect(name, equals: "Bob")
    },
    Case("R11", "app storage keeps each value as its JSON") { trial in
      @Shared(.appStorage("bool")) var bool = false
      @Shared(.appStorage("int")) var int = 0
      @Shared(.appStorage("double")) var double = 0.0
      @Shared(.appStorage("string")) var string = ""
      @Shared(.appStorage("text")) var text: UTF8Text = ""
      @Shared(.appStorage("bytes")) var bytes: [UInt8] = []
      @Shared(.appStorage("strings")) var strings: [String] = []
      @Shared(.appStorage("order")) var order = Order.name
      @Shared(.appStorage("level")) var level: Level?
      @Shared(.appStorage("optional")) var optional: Int?
      $bool.withLock { $0 = true }
      $int.withLock { $0 = -3 }
      $double.withLock { $0 = 0.1 }
      $string.withLock { $0 = "\"Zo\u{EB}\"\n" }
      $text.withLock { $0 = "a" }
      $bytes.withLock { $0 = [0, 0xFF] }
      $strings.withLock { $0 = ["a", "\""] }
      $order.withLock { $0 = .date }
      $level.withLock { $0 = .high }
      $optional.withLock { $0 = 7 }
      trial.expect(trial.store["bool"], equals: "true")
      trial.expect(trial.store["int"], equals: "-3")
      trial.expect(trial.store["double"], equals: "0.1")
      trial.expect(trial.store["string"], equals: #""\"Zo\#u{EB}\"\n""#)
      trial.expect(trial.store["text"], equals: #""a""#)
      trial.expect(trial.store["bytes"], equals: "[0,255]")
      trial.expect(trial.store["strings"], equals: #"["a","\""]"#)
      trial.expect(trial.store["order"], equals: #""by date""#)
      trial.expect(trial.store["level"], equals: "3")
      trial.expect(trial.store["optional"], equals: "7")
      trial.inAnotherProgram {
        @Shared(.appStorage("bool")) var bool = false
        @Shared(.appStorage("double")) var double = 0.0
        @Shared(.appStorage("string")) var string = ""
        @Shared(.appStorage("bytes")) var bytes: [UInt8] = []
        @Shared(.appStorage("strings")) var strings: [String] = []
        @Shared(.appStorage("order")) var order = Order.name
        @Shared(.appStorage("level")) var level: Level?
        trial.expect(bool, equals: true)
        trial.expect(double == 0.1, "\(double) is not 0.1")
        trial.expect(string, equals: "\"Zo\u{EB}\"\n")
        trial.expect(bytes == [0, 0xFF], "the bytes are not the same")
        trial.expect(strings.count, equals: 2)
        trial.expect(order == .date, "the order is not the same")
        trial.expect(level == .high, "the level is not the same")
      }
    },
    Case("R11", "app storage keeps numbers of every size, exactly") { trial in
      @Shared(.appStorage("long")) var long: Int64 = 0
      @Shared(.appStorage("unsigned")) var unsigned: UInt64 = 0
      @Shared(.appStorage("short")) var short: Int16 = 0
      @Shared(.appStorage("byte")) var byte: UInt8 = 0
      @Shared(.appStorage("float")) var float: Float = 0
      $long.withLock { $0 = .min }
      $unsigned.withLock { $0 = .max }
      $short.withLock { $0 = -7 }
      $byte.withLock { $0 = 255 }
      $float.withLock { $0 = 0.1 }
      trial.expect(trial.store["long"], equals: "-9223372036854775808")
      trial.expect(trial.store["unsigned"], equals: "18446744073709551615")
      trial.expect(trial.store["short"], equals: "-7")
      trial.expect(trial.store["byte"], equals: "255")
      trial.expect(trial.store["float"], equals: "0.1")
      trial.inAnotherProgram {
        @Shared(.appStorage("long")) var long: Int64 = 0
        @Shared(.appStorage("float")) var float: Float = 0
        @Shared(.appStorage("unsigned")) var tooSmall: Int64 = 1
        trial.expect(long == .min, "the long number is not the same")
        trial.expect(float == 0.1, "the float is not the same")
        trial.expect($tooSmall.loadError != nil, "a number that is too large is read")
      }
    },
    Case("R16", "app storage keeps no number that JSON has not") { trial in
      @Shared(.appStorage("double")) var double = 0.0
      $double.withLock { $0 = .infinity }
      trial.expect($double.saveError.map(reason) == .unencodable, "it is not said")
      trial.expect(trial.store["double"], equals: nil)
    },
    Case("R11", "an enum of strings whose cases are known is stored as its raw value") { trial in
      @Shared(.localStorage("theme")) var theme = Theme.light
      @Shared(.appStorage("plain")) var plain = Theme.light
      @Shared(.appStorage("perhaps")) var perhaps: Theme?
      $theme.withLock { $0 = .dark }
      $plain.withLock { $0 = .dark }
      $perhaps.withLock { $0 = .dark }
      trial.expect(trial.store["theme"], equals: "\"s\u{F6}t\"")
      trial.expect(trial.store["plain"], equals: "\"s\u{F6}t\"")
      trial.expect(trial.store["perhaps"], equals: "\"s\u{F6}t\"")
      trial.inAnotherProgram {
        @Shared(.localStorage("theme")) var theme = Theme.light
        @Shared(.appStorage("plain")) var plain = Theme.light
        @Shared(.appStorage("perhaps")) var perhaps: Theme?
        trial.expect(theme == .dark && plain == .dark && perhaps == .dark, "it is another theme")
      }
    },
    Case("R15", "a text that is no case is damage, and so is one that only looks like a case") {
      trial in
      // Swift considers these strings equal, although they differ: o and a combining diaeresis.
      for (number, text) in ["so\u{308}t", "Light", "", "lightx"].enumerated() {
        trial.store["theme \(number)"] = "\"\(text)\""
        let theme = Shared(wrappedValue: Theme.light, .localStorage("theme \(number)"))
        trial.expect(theme.loadError != nil, "\(text) is a theme")
      }
    },
    Case("R11", "a moment is stored as the milliseconds since 1970") { trial in
      @Shared(.localStorage("visit")) var visit: Timestamp?
      @Shared(.appStorage("start")) var start = Timestamp(millisecondsSince1970: 0)
      $visit.withLock { $0 = Timestamp(millisecondsSince1970: 1_767_225_600_123) }
      $start.withLock { $0 = Timestamp(millisecondsSince1970: -1) }
      trial.expect(trial.store["visit"], equals: "1767225600123")
      trial.expect(trial.store["start"], equals: "-1")
      trial.inAnotherProgram {
        @Shared(.localStorage("visit")) var visit: Timestamp?
        trial.expect(visit?.millisecondsSince1970 == 1_767_225_600_123, "another moment")
      }
    },
    Case("R17", "app storage removes the item of a nil") { trial in
      @Shared(.appStorage("level")) var level: Level?
      @Shared(.appStorage("name")) var name: String?
      $level.withLock { $0 = .low }
      $name.withLock { $0 = "" }
      trial.expect(trial.store["name"], equals: #""""#)
      $level.withLock { $0 = nil }
      $name.withLock { $0 = nil }
      trial.expect(trial.store["level"], equals: nil)
      trial.expect(trial.store["name"], equals: nil)
    },
    Case("R15", "app storage takes no other text for a value") { trial in
      for (number, text) in ["TRUE", "1", #""true""#, ""].enumerated() {
        trial.store["bool \(number)"] = text
        let bool = Shared(wrappedValue: false, .appStorage("bool \(number)"))
        trial.expect(bool.loadError != nil, "\(text) is a Boolean")
        bool.withLock { $0 = true }
        let place = number % 3 == 0 ? ".corrupt" : ""  // the others are JSON
        trial.expect(trial.store["bool \(number)\(place)"], equals: text)
      }
      trial.store["level"] = "2"
      @Shared(.appStorage("level")) var level = Level.low
      trial.expect($level.loadError != nil, "2 is a level")
      trial.expect(level == .low, "the default does not show")
    },
    Case("R1", "app storage goes to the store that it is given") { trial in
      let store = MemoryStore()
      @Shared(.appStorage("count", store: store)) var count = 0
      $count.withLock { $0 = 3 }
      trial.expect(store.bytes(for: KeyName("count")) == [0x33], "it is not there")
      trial.expect(trial.store["count"], equals: nil)
    },
    Case("R1", "app storage has keys with defaults of their own") { trial in
      @Shared(.isOn) var isOn
      trial.expect(isOn, equals: true)
      $isOn.withLock { $0 = false }
      trial.expect(trial.store["isOn"], equals: "false")
    },
  ]
}

/// One value for each kind of key with a `following` parameter.
private struct Search {
  let name: String
  let text: (String) -> String
  let make: (StoreFollowing) -> Shared<String>

  nonisolated(unsafe) static let kinds = [
    Search(name: "local", text: { "\"\($0)\"" }) {
      Shared(wrappedValue: "", .localStorage("local", following: $0))
    },
    Search(name: "versioned", text: { #"{"$version":2,"value":"\#($0)"}"# }) {
      Shared(wrappedValue: "", .localStorage("versioned", version: 2, following: $0))
    },
    Search(name: "app", text: { "\"\($0)\"" }) {
      Shared(wrappedValue: "", .appStorage("app", following: $0))
    },
    Search(name: "file", text: { "\"\($0)\"" }) {
      Shared(wrappedValue: "", .fileStorage("file", following: $0))
    },
  ]
}

private enum Order: String, JSONValue { case name, date = "by date" }
private enum Level: Int, JSONValue { case low = 1, high = 3 }
private enum Theme: String, CaseIterable, JSONValue { case light, dark = "s\u{F6}t" }

extension SharedKey where Self == AppStorageKey<Bool>.Default {
  fileprivate static var isOn: Self { Self[.appStorage("isOn"), default: true] }
}

extension SharedKey where Self == FileStorageKey<[UInt8]> {
  fileprivate static var letters: Self {
    .fileStorage(
      "letters",
      coding: StorageCoding(
        encode: { (value) throws(AnyError) in value.reversed() },
        decode: { (bytes) throws(AnyError) in bytes.reversed() }))
  }
}

extension StorageCoding<[UInt8]> {
  /// Reverses the bytes; rejects "!" in both directions.
  fileprivate static var reversed: StorageCoding {
    StorageCoding(
      encode: { (value) throws(AnyError) in
        try refuse(value)
        return value.isEmpty ? nil : value.reversed()
      },
      decode: { (bytes) throws(AnyError) in
        try refuse(bytes)
        return bytes.reversed()
      })
  }
}

private func refuse(_ bytes: [UInt8]) throws(StorageError) {
  guard bytes.contains(0x21) else { return }
  throw StorageError(.other, key: nil, "no exclamation mark")
}

extension SharedKey where Self == LocalStorageKey<Int?>.Default {
  fileprivate static var limit: Self { Self[.localStorage("limit"), default: 5] }
}

extension Program {
  fileprivate func limit() -> Shared<Int?> {
    run { Shared(wrappedValue: 5, .revisions("limit", in: connection)) }
  }
}

/// A key over another one, as programs write it: it can save if that can.
private struct LoggedKey<Base: SharedReaderKey>: SharedReaderKey {
  let base: Base

  var id: Base.ID { base.id }

  func load(context: LoadContext<Base.Value>, continuation: LoadContinuation<Base.Value>) {
    base.load(context: context, continuation: continuation)
  }

  func subscribe(
    context: LoadContext<Base.Value>, subscriber: SharedSubscriber<Base.Value>
  ) -> SharedSubscription {
    base.subscribe(context: context, subscriber: subscriber)
  }
}

extension LoggedKey: SharedKey where Base: SharedKey {
  func save(_ value: Base.Value, context: SaveContext, continuation: SaveContinuation) {
    base.save(value, context: context, continuation: continuation)
  }

  func reset(to initialValue: Base.Value, continuation: SaveContinuation) {
    base.reset(to: initialValue, continuation: continuation)
  }
}
