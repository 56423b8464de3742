import Foundation
import RandomSteps
import SharingCore
import Testing
import WasiStorage

// Types that are both stored and `Codable`.

@Stored struct Integers: Codable, Equatable {
  var a = 0, b: Int8 = 0, c: Int16 = 0, d: Int32 = 0, e: Int64 = 0
  var f: UInt = 0, g: UInt8 = 0, h: UInt16 = 0, i: UInt32 = 0, j: UInt64 = 0
}

@Stored struct Fractions: Codable, Equatable { var double = 0.0, float: Float = 0 }

@Stored struct Texts: Codable, Equatable { var `default` = "", größe = "", isOn = false }

@Stored struct Lists: Codable, Equatable {
  var numbers: [Int] = [], lists: [[Bool]] = [], scores: [String: Int] = [:]
}

@Stored struct Deep: Codable, Equatable { var texts = Texts(), all: [Fractions] = [] }

@Stored struct Renamed: Codable, Equatable {
  @Name("due_date") var due = 0
  var other = ""
  enum CodingKeys: String, CodingKey {
    case due = "due_date"
    case other
  }
}

@Stored struct Pair<First: JSONValue & Codable & Equatable>: Codable, Equatable
where First: Number {
  var first = First.zero, second = [First.zero]
}

protocol Number { static var zero: Self { get } }
extension Int: Number {}
extension Double: Number {}

@Stored enum One: Codable, Equatable { case one(Int), two(Int, b: String), none }

@Stored struct Keyed: Codable, Equatable {
  var names: [Int: String] = [:], scores: [Int: [Int: Bool]] = [:], maybe: [Int: Int]? = nil
}

@Stored struct Moments: Codable, Equatable {
  var id = UUID(), date = Date(timeIntervalSinceReferenceDate: 0), wait = Duration.zero
  var ids: [UUID] = [], waits: [Int: Duration] = [:], last: Date? = nil
}

@Stored struct Sets: Codable, Equatable {
  var numbers: Set<Int> = [], texts: Set<String> = [], lists: Set<[Bool]> = []
  var inside: [Int: Set<UInt64>] = [:], ids: Set<UUID> = [], waits: Set<Duration> = []
}

/// What one of the two writes, the other reads, for random values of twenty types.
@Suite struct CodableTests {
  @Test(arguments: 0..<200)
  func theJSONIsThatOfCodable(seed: UInt64) throws {
    var random = Values(seed: seed)
    try check(random.todo, random.integers, random.fractions, random.texts, random.lists)
    try check(random.deep, random.renamed, random.tree(3), random.shape(3), random.one)
    try check(Pair(first: random.int, second: [random.int]), Pair(first: random.double))
    try check([random.todo, random.todo], ["a": random.shape(1)], [Theme.light, .dark])
    try check([Level.high, .low], WithDefault.size(width: random.int, of: [random.int]))
    try check([random.bool], [random.text], [random.tree(2), random.tree(1)])
    try check(random.keyed, random.moments, [random.int: random.duration], random.uuid)
    try check(random.date, random.duration)
  }

  @Test(arguments: 0..<200)
  func aSetIsAnArrayInAnyOrder(seed: UInt64) throws {
    var random = Values(seed: seed)
    let sets = random.sets
    let (ours, theirs) = (Data(try JSON.encode(sets)), try JSONEncoder().encode(sets))
    #expect(try JSONDecoder().decode(Sets.self, from: ours) == sets)
    #expect(try JSON.decode(Sets.self, from: [UInt8](theirs)) == sets)
    #expect(try JSON.encode(JSON.decode(Sets.self, from: [UInt8](theirs))) == [UInt8](ours))
  }

  @Test func nilOfBothKindsIsOneNull() throws {
    let values: [Int??] = [.none, .some(.none), 3]
    let theirs = try JSONEncoder().encode(values)
    #expect(try JSON.encode(values) == [UInt8](theirs))
    #expect(try JSONDecoder().decode([Int??].self, from: theirs) == [.none, .none, 3])
    #expect(try JSON.decode([Int??].self, from: [UInt8](theirs)) == [.none, .none, 3])
  }

  @Test func anIdentifierInSmallLettersIsRead() throws {
    let id = UUID()
    let json = Array("\"\(id.uuidString.lowercased())\"".utf8)
    #expect(try JSON.decode(UUID.self, from: json) == id)
    let error = #expect(throws: JSONError.self) { try value([UUID].self, #"["7"]"#) }
    #expect(error?.path == "[0]" && error?.offset == 1)
  }

  private func check<each Value: JSONValue & Codable & Equatable>(
    _ values: repeat each Value
  ) throws {
    for value in repeat each values {
      let ours = Data(try JSON.encode(value))
      let theirs = try JSONEncoder().encode(value)
      let type = Swift.type(of: value)
      #expect(try JSONDecoder().decode(type, from: ours) == value)
      #expect(try JSON.decode(type, from: [UInt8](theirs)) == value)
      // A field that is nil is `null` here, and left out by `Codable`.
      #expect(try object(ours) == object(theirs), "\(String(decoding: ours, as: UTF8.self))")
    }
  }

  private func object(_ json: Data) throws -> NSObject {
    withoutNull(try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed))
  }

  private func withoutNull(_ value: Any) -> NSObject {
    if let members = value as? [String: Any] {
      return members.filter { !($0.value is NSNull) }.mapValues(withoutNull) as NSDictionary
    }
    if let elements = value as? [Any] { return elements.map(withoutNull) as NSArray }
    return value as! NSObject
  }
}

/// Random values.
private struct Values {
  var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  var bool: Bool { mutating get { .random(using: &generator) } }
  var int: Int { mutating get { number() } }
  var double: Double { mutating get { Double(number() as Int32) / 64 } }
  var text: String {
    mutating get { ["", "tea ☕️", "\"\\\n\u{1}", "é/", "a b"].randomElement(using: &generator)! }
  }

  mutating func number<Number: FixedWidthInteger>() -> Number {
    [.min, .max, 0, 1, .random(in: .min ... .max, using: &generator)]
      .randomElement(using: &generator)!
  }

  var todo: Todo { mutating get { Todo(id: int, title: text, completed: bool) } }
  var integers: Integers {
    mutating get {
      Integers(
        a: int, b: number(), c: number(), d: number(), e: number(), f: number(), g: number(),
        h: number(), i: number(), j: number())
    }
  }
  var fractions: Fractions {
    mutating get { Fractions(double: double, float: Float(number() as Int16) / 8) }
  }
  var texts: Texts { mutating get { Texts(default: text, größe: text, isOn: bool) } }
  var lists: Lists {
    mutating get { Lists(numbers: [int, int], lists: [[bool], []], scores: [text: int]) }
  }
  var deep: Deep { mutating get { Deep(texts: texts, all: [fractions, fractions]) } }
  var renamed: Renamed { mutating get { Renamed(due: int, other: text) } }
  var one: One { mutating get { bool ? .one(int) : bool ? .two(int, b: text) : .none } }

  var uuid: UUID {
    mutating get {
      let (a, b): (UInt64, UInt64) = (number(), number())
      return UUID(uuid: unsafeBitCast((a, b), to: uuid_t.self))
    }
  }
  var date: Date { mutating get { Date(timeIntervalSinceReferenceDate: double) } }
  var duration: Duration {
    mutating get { .seconds(Int64(number() as Int32)) + .nanoseconds(number() as Int64) }
  }
  var keyed: Keyed {
    mutating get {
      Keyed(
        names: [int: text], scores: [int: [int: bool]],
        maybe: bool ? [int: int] : nil)
    }
  }
  var moments: Moments {
    mutating get {
      Moments(
        id: uuid, date: date, wait: duration, ids: [uuid, uuid], waits: [int: duration],
        last: bool ? date : nil)
    }
  }
  var sets: Sets {
    mutating get {
      Sets(
        numbers: [int, int, int], texts: [text, text, "a"], lists: [[bool], [], [bool, bool]],
        inside: [int: [number(), number()]], ids: [uuid, uuid], waits: [duration, duration])
    }
  }

  mutating func tree(_ depth: Int) -> Tree {
    Tree(name: text, children: depth > 0 && bool ? [tree(depth - 1), tree(depth - 1)] : [])
  }

  mutating func shape(_ depth: Int) -> Shape {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: .circle(radius: double)
    case 1: .rectangle(width: double, height: double)
    case 2: .text(text, bool ? int : nil)
    case 3 where depth > 0: .twice(of: shape(depth - 1))
    default: .none
    }
  }
}
