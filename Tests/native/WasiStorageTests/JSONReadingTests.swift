import RandomSteps
import SharingCore
import Testing
import WasiStorage

/// Updates an array from new bytes, and compares it with a complete decoding.
@Suite("JSON reading of changes")
struct JSONReadingTests {
  /// Misleading texts of elements.
  static let tricky = [
    "1", "11", "-1.5e3", "null", "[]", "[1]", "[[],[1]]", "{}", #"{"a":[1,{"b":"]"}]}"#, #""""#,
    #""a""#, #""é""#, #""ë""#, #""\u00e9""#, #""]""#, #"",""#, #""1,1""#, #""\"""#, #""\\""#,
    #""\\\"],[\"""#, " 1", "1 ", "\n[ 1 , 2 ]\t", #""☕️,[""#,
  ]

  @Test("any two arrays of up to two tricky elements", arguments: [false, true])
  func pairs(isWritten: Bool) throws {
    let texts =
      ["[]", "[ ]"] + Self.tricky.map { "[\($0)]" }
      + Self.tricky.flatMap { one in Self.tricky.map { "[\(one),\($0)]" } }
    var random = SplitMix64(seed: 1)
    for old in texts {
      // Compares each with itself, and with some of the others.
      for new in [old] + (0..<24).map({ _ in texts.randomElement(using: &random)! }) {
        var list = try Followed<JSONDocument>(old, isWritten)
        #expect(try list.read(new))
      }
    }
  }

  @Test("tricky elements that come, go and change, many times", arguments: 0..<20)
  func trickyWalk(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var elements: [String] = []
    var list = try Followed<JSONDocument>("[]", seed % 2 == 0)
    for _ in 0..<200 {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        change(&elements, to: Self.tricky.randomElement(using: &random)!, &random)
      }
      let space = seed % 4 < 2 ? "" : ["", " ", "\r\n\t"].randomElement(using: &random)!
      #expect(try list.read("[" + elements.joined(separator: "," + space) + "]" + space))
    }
  }

  private func change(_ elements: inout [String], to element: String, _ random: inout SplitMix64) {
    let place = Int.random(in: 0...elements.count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: elements.insert(element, at: place)
    case 1: elements.append(element)
    case 2 where place < elements.count: elements.remove(at: place)
    case 3 where !elements.isEmpty: elements.swapAt(0, elements.count - 1)
    default: if place < elements.count { elements[place] = element }
    }
  }

  @Test("two programs that change a list in turn", arguments: 0..<20)
  func turns(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var mine = try Followed<Todo>("[]", true)
    for _ in 0..<100 {
      var todos = mine.value
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let place = Int.random(in: 0...todos.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: todos.insert(Todo(id: Int(random.next() % 100)), at: place)
        case 1 where place < todos.count: todos.remove(at: place)
        case 2 where place < todos.count: todos[place].title += "\"é]"
        default: if place < todos.count { todos[place].completed.toggle() }
        }
      }
      #expect(try mine.read(String(decoding: JSON.encode(todos), as: UTF8.self)))
      // The next local change finds its place in the read bytes.
      guard let place = mine.value.indices.randomElement(using: &random) else { continue }
      mine.value[place].id += 1
      try mine.text.update(to: mine.value, .changed([place]))
      #expect(mine.text.bytes == (try JSON.encode(mine.value)))
    }
  }

  @Test("each byte of a text replaced, left out or doubled is read, or is the error of the whole")
  func damage() throws {
    let text = #"[1,"a\"],[\\",[[2],{"é":",]"}], 3 ,{"a":null},true]"#
    let bytes = Array(text.utf8)
    for place in bytes.indices {
      for byte in Array(#"",[]{}\: 0a"#.utf8) + [0x00, 0x80, 0xC3, 0xFF] {
        var other = bytes
        other[place] = byte
        var list = try Followed<JSONDocument>(text, false)
        _ = try list.read(other)
        other.insert(bytes[place], at: place)
        _ = try list.read(other)
      }
      var list = try Followed<JSONDocument>(text, false)
      _ = try list.read(Array(bytes[..<place] + bytes[(place + 1)...]))
      _ = try list.read(Array(bytes[..<place]))
      _ = try list.read(Array(bytes[place...]))
      _ = try list.read(Array(bytes[..<place] + bytes[place...place] + bytes[place...]))
      #expect(try list.read(text))
    }
  }

  @Test("what was changed is told by its position")
  func positions() throws {
    func changes(_ old: String, _ new: String) throws -> ElementChanges {
      var list = try Followed<JSONDocument>(old, false)
      #expect(try list.read(new))
      return list.changes
    }
    #expect(try changes("[1,2,3]", "[1,2,3]") == .changed([]))
    #expect(try changes("[1,2,3]", "[9,2,3]") == .changed([0]))
    #expect(try changes("[1,2,3]", "[1,22,3]") == .changed([1]))
    #expect(try changes("[1,2,3]", "[1,2,4]") == .changed([2]))
    #expect(try changes("[1,2,3]", "[10,2,30]") == .changed([0, 2]))
    #expect(try changes("[1,2,3]", "[1,2,3,4]") == .changed([3]))
    #expect(try changes("[1,1]", "[1,1,1,1]") == .changed([2, 3]))
    #expect(try changes("[1,2,3]", "[1,9,3,4]") == .changed([1, 3]))
    for place in 0..<3 {
      var numbers = [1, 2, 3]
      numbers.remove(at: place)
      #expect(try changes("[1,2,3]", encode(numbers)) == .removed(place))
    }
    #expect(try changes("[1,2,3]", "[0,1,2,3]") == .changed([0, 1, 2, 3]))
    #expect(try changes("[1,2,3]", "[9,3]") == .anything)
    #expect(try changes("[1,2,3]", "[1]") == .anything)
    #expect(try changes("[1]", "[]") == .anything)
    #expect(try changes("[]", "[1]") == .anything)
    let numbers = Array(0..<200)
    for count in [100, 101] {
      let others = numbers.map { $0 < count ? $0 + 1_000 : $0 }
      let isExact = try changes(encode(numbers), encode(others)) == .changed(Array(0..<count))
      #expect(isExact == (count == 100))
    }
  }

  @Test("of changed elements, new ones at the end and one removed, only what differs is decoded")
  func laziness() throws {
    var numbers = (0..<100).map { $0 }
    var places = numbers.map { Place(number: $0) }
    var text = _EncodedJSON()
    func read() throws -> [Int] {
      for index in places.indices { places[index].offset = nil }
      try text.read(JSON.encode(numbers), into: &places)
      #expect(places.map(\.number) == numbers)
      return places.indices.filter { places[$0].offset != nil }
    }
    #expect(try read() == [])
    (numbers[3], numbers[50], numbers[99]) = (1_000, 2_000, 3_000)
    #expect(try read() == [3, 50, 99])
    numbers.remove(at: 20)
    #expect(try read() == [])
    numbers += [5, 6]
    #expect(try read() == [99, 100])
    numbers.insert(7, at: 0)
    #expect(try read() == Array(numbers.indices))
    numbers.remove(at: 30)
    numbers[3] = 2_000
    #expect(try read() == Array(numbers.indices))
    numbers[3] = 3_000
    #expect(try read() == [3])
  }

  @Test("elements that were read in another form keep it, with unknown members, until they change")
  func foreignElements() throws {
    for other in [#"[{"id":1,"new":5},{"id":2}]"#, #"[{"title":"a","id":1}, {"id":2}]"#] {
      var list = try Followed<Todo>(#"[{"id":0},{"id":2}]"#, true)
      #expect(try list.read(other))
      list.value[1].completed = true
      try list.text.update(to: list.value, .changed([1]))
      let changed = String(decoding: try JSON.encode(list.value[1]), as: UTF8.self)
      // White space before an element belongs to the element.
      let expected = other.replacing(", ", with: ",").replacing(#"{"id":2}"#, with: changed)
      #expect(String(decoding: list.text.bytes, as: UTF8.self) == expected)
    }
  }

  @Test("after a failed update, all is read that cannot be written, and then what differs")
  func failedUpdate() throws {
    var text = _EncodedJSON()
    try text.update(to: [0.5, 1, 2])
    var numbers = [7.5, 1, .nan]
    #expect(throws: JSONError.self) { try text.update(to: numbers, .changed([0, 2])) }
    #expect(try text.read(Array("[0.5,1.0,3.0]".utf8), into: &numbers) == .anything)
    #expect(numbers == [0.5, 1, 3])
    #expect(try text.read(Array("[0.5,4.0,3.0]".utf8), into: &numbers) == .changed([1]))
    #expect(numbers == [0.5, 4, 3])
  }

  @Test("what is no array is read as a whole; of an array without a text yet, what differs")
  func wholes() throws {
    var todo = Todo()
    var text = _EncodedJSON()
    try text.update(to: todo)
    #expect(try text.read(JSON.encode(Todo(id: 1)), into: &todo) == .anything)
    #expect(todo == Todo(id: 1))
    var numbers = [5]
    #expect(try text.read(Array("[6]".utf8), into: &numbers) == .changed([0]))
    #expect(numbers == [6])
  }

  @Test("an element nests no deeper for being read alone")
  func depth() throws {
    let levels = JSONReader.maximumDepth - 1
    func text(_ levels: Int) -> String {
      "[1,\(String(repeating: "[", count: levels))\(String(repeating: "]", count: levels))]"
    }
    var list = try Followed<JSONDocument>("[1,2]", false)
    #expect(try list.read(text(levels)))
    #expect(try !list.read(text(levels + 1)))
  }
}

/// An array, its text, and the last reported changes to it.
private struct Followed<Element: JSONValue & Equatable> {
  var value: [Element] = []
  var text = _EncodedJSON()
  private(set) var changes = ElementChanges.anything

  /// - Parameter isWritten: Whether the text is written instead of read.
  init(_ text: String, _ isWritten: Bool) throws {
    value = try JSON.decode(from: Array(text.utf8))
    if isWritten {
      try self.text.update(to: value)
    } else {
      try self.text.read(Array(text.utf8), into: &value)
    }
  }

  mutating func read(_ text: String) throws -> Bool { try read(Array(text.utf8)) }

  /// Reads the bytes, and expects the result of a complete decoding.
  /// - Returns: Whether they are the text of such an array.
  mutating func read(_ bytes: [UInt8]) throws -> Bool {
    let (old, oldBytes) = (value, text.bytes)
    if let error = failure([Element].self, bytes) {
      #expect(throws: error) { try text.read(bytes, into: &value) }
      #expect(value == old && text.bytes == oldBytes)
      return false
    }
    changes = try text.read(bytes, into: &value)
    let texts: Comment = "\(String(decoding: oldBytes + [0x20] + bytes, as: UTF8.self))"
    #expect(value == (try JSON.decode([Element].self, from: bytes)), texts)
    // The read bytes, or, after a complete decoding, the written ones.
    let written = try JSON.encode(value)
    #expect(text.bytes == bytes || (changes == .anything && text.bytes == written), texts)
    expectChanges(from: old, texts)
    return true
  }

  private func expectChanges(from old: [Element], _ texts: Comment) {
    switch changes {
    case .changed(let positions):
      #expect(positions == Set(positions).sorted(), texts)
      #expect(value.count >= old.count, texts)
      for position in value.indices where !positions.contains(position) {
        #expect(position < old.count && value[position] == old[position], texts)
      }
    case .removed(let position):
      var rest = old
      rest.remove(at: position)
      #expect(value == rest, texts)
    case .anything: break
    }
  }
}

/// A number that records its place in the text.
private struct Place: JSONValue {
  var number = 0
  var offset: Int?
  static func decode(from reader: inout JSONReader) throws(JSONError) -> Place {
    let offset = reader.offset
    return Place(number: try Int.decode(from: &reader), offset: offset)
  }
  func encode(into writer: inout JSONWriter) { number.encode(into: &writer) }
}
