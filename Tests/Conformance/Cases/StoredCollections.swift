import SharingCore
import WasiStorage

/// Sets, dictionaries, durations and nested optionals as values and fields.
let storedCollections: [Case] = [
  Case("R11", "equal sets write equal bytes, and come back") { trial in
    @Shared(.localStorage("numbers")) var numbers: Set<Int> = []
    $numbers.withLock { $0 = [3, 1, 2] }
    trial.expect(trial.store["numbers"], equals: "[1,2,3]")
    var names: Set<String> = []
    for name in ["f", "e", "d", "c", "b", "a", "é"] { names.insert(name) }
    trial.expect(text(names), equals: #"["a","b","c","d","e","f","é"]"#)
    let pairs: Set<[Int]> = [[2], [1, 3], []]
    trial.expect(text(pairs), equals: "[[1,3],[2],[]]")
    trial.expect((try? JSON.decode(from: JSON.encode(pairs))) == pairs, "comes back")
  },
  Case("R11", "an element that a stored set has twice is read once") { trial in
    trial.expect(read(Set<Int>.self, " [2, 1 ,2] ") == [1, 2], "once")
    trial.expect(read(Set<Int>.self, "[]") == [], "empty")
  },
  Case("R15", "an element of a set that is wrong is named by its index") { trial in
    trial.expect(mistake(Set<Int>.self, #"[1,"a"]"#), contains: "[1]")
    trial.expect(mistake(Set<Int>.self, "{}"), contains: "Expected an array")
  },
  Case("R11", "a set of texts needs no String") { trial in
    let texts: Set<UTF8Text> = ["b", "a"]
    trial.expect(text(texts), equals: #"["a","b"]"#)
    trial.expect(read(Set<UTF8Text>.self, #"["b","a"]"#) == texts, "read")
  },
  Case("R11", "a dictionary of integer keys is an object") { trial in
    @Shared(.localStorage("names")) var names: [Int: UTF8Text] = [:]
    $names.withLock { $0 = [10: "ten", -1: "minus", 2: "two"] }
    trial.expect(trial.store["names"], equals: #"{"-1":"minus","10":"ten","2":"two"}"#)
    for key in [Int.min, -10, 0, 7, .max] {
      let one = [key: true]
      trial.expect((try? JSON.decode(from: JSON.encode(one))) == one, "\(key) comes back")
    }
    trial.expect(read([Int: Int].self, #"{"1":2,"1":3}"#) == [1: 3], "the last one")
  },
  Case("R15", "a key that is no integer is an error with its place") { trial in
    for (key, path) in [
      ("x", #"["x"]"#), ("", #"[""]"#), ("1.0", #"["1.0"]"#), ("01", #"["01"]"#),
      (" 1", #"[" 1"]"#), ("+1", #"["+1"]"#), ("-0", #"["-0"]"#), ("1}", #"["1}"]"#),
      ("99999999999999999999", #"["99999999999999999999"]"#),
    ] as [(UTF8Text, UTF8Text)] {
      let found = mistake([Int: Bool].self, #"{"0":true,"\#(key)":true}"#)
      trial.expect(found, contains: "byte 10 of \(path)")
    }
    trial.expect(mistake([Int: Bool].self, #"{"7":3}"#), contains: #"byte 5 of ["7"]"#)
    trial.expect(mistake([Int: Bool].self, "[]"), contains: "Expected an object")
  },
  Case("R11", "a dictionary of texts needs no String") { trial in
    let scores: [UTF8Text: Int] = ["b": 2, "a\"": 1]
    trial.expect(text(scores), equals: #"{"a\"":1,"b":2}"#)
    trial.expect(read([UTF8Text: Int].self, #"{"b":2,"\u0061\"":1}"#) == scores, "read")
  },
  Case("R11", "a key of a type of its own has the text that it names") { trial in
    let rooms = [Room(number: 2): 1]
    trial.expect(text(rooms), equals: #"{"room 2":1}"#)
    trial.expect(read([Room: Int].self, #"{"room 2":1}"#) == rooms, "read")
    trial.expect(mistake([Room: Int].self, #"{"hall":1}"#), contains: #"byte 1 of ["hall"]"#)
  },
  Case("R11", "a duration is two integers, as Codable writes it") { trial in
    for (duration, json) in [
      (.zero, "[0,0]"), (.milliseconds(1500), "[0,1500000000000000000]"),
      (.milliseconds(-1500), "[-1,16946744073709551616]"),
      (.seconds(20), "[1,1553255926290448384]"),
      (.seconds(Int64.max), "[499999999999999999,17446744073709551616]"),
    ] as [(Duration, String)] {
      trial.expect(text(duration), equals: json)
      trial.expect(read(Duration.self, UTF8Text(json)) == duration, "read")
    }
    @Shared(.localStorage("wait")) var wait = Duration.seconds(1)
    $wait.withLock { $0 += .nanoseconds(1) }
    trial.expect(trial.store["wait"], equals: "[0,1000000001000000000]")
  },
  Case("R15", "a duration of other than two integers is an error") { trial in
    trial.expect(mistake(Duration.self, "[0]"), contains: "byte 0")
    trial.expect(mistake(Duration.self, "[]"), contains: "byte 0")
    trial.expect(mistake(Duration.self, "[0,1,2]"), contains: "byte 0")
    trial.expect(mistake(Duration.self, "[0,-1]"), contains: "[1]")
    trial.expect(mistake(Duration.self, "1.5"), contains: "Expected an array")
  },
  Case("R11", "nil of both kinds of a nested optional is null") { trial in
    let values: [Int??] = [.none, .some(.none), 3]
    trial.expect(text(values), equals: "[null,null,3]")
    trial.expect(read([Int??].self, "[null,3]") == [Int??.none, 3], "read")
  },
  Case("R15", "a stored number beyond 32 bits names Int64, and no change overwrites it") { trial in
    trial.store["lamp"] = #"{"seconds":3000000000}"#
    @Shared(.localStorage("lamp")) var lamp = Lamp()
    trial.expect(lamp.seconds == 1, "the default")
    trial.expect($lamp.loadError.map(details), contains: "`Int64`")
    trial.expect($lamp.loadError.map(details), contains: "seconds")
    trial.expect(trial.store["lamp"], equals: #"{"seconds":3000000000}"#)
    $lamp.withLock { $0.seconds = 2 }
    trial.expect(trial.store["lamp"], equals: #"{"seconds":3000000000}"#)
    trial.expect($lamp.saveError.map(details), contains: "`Int64`")
    trial.expect(mistake(Int32.self, "3000000000"), contains: "`Int64`")
  },
  Case("R19", "members that a value under an integer key does not have are kept") { trial in
    trial.store["lamps"] = #"{"7":{"seconds":5,"new":[1]}}"#
    @Shared(.localStorage("lamps")) var lamps: [Int: Lamp] = [:]
    $lamps.withLock { $0[7]?.seconds = 6 }
    trial.expect(trial.store["lamps"], equals: #"{"7":{"seconds":6,"new":[1]}}"#)
  },
]

@Stored private struct Lamp: Equatable {
  var seconds: Int32 = 1
}

/// A key of a program.
private struct Room: JSONKey {
  let number: Int

  init(number: Int) { self.number = number }

  init?(jsonKey: UTF8Text) {
    guard jsonKey == "room 2" else { return nil }
    number = 2
  }

  var jsonKey: UTF8Text { "room \(number)" }
}

private func text(_ value: some JSONValue) -> String? {
  (try? JSON.encode(value)).map { String(decoding: $0, as: UTF8.self) }
}

private func read<Value: JSONValue>(_ type: Value.Type, _ text: UTF8Text) -> Value? {
  try? JSON.decode(type, from: text.bytes)
}

/// The message about a text that cannot be read.
private func mistake<Value: JSONValue>(_ type: Value.Type, _ text: UTF8Text) -> UTF8Text? {
  do throws(JSONError) {
    _ = try JSON.decode(type, from: text.bytes)
    return nil
  } catch {
    return error.text
  }
}
