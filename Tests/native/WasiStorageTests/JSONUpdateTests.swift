import RandomSteps
import Testing
import WasiStorage

/// Compares updated text with text that is written from scratch.
@Suite("JSON updates")
struct JSONUpdateTests {
  @Test("any changes of any elements give the text of the whole", arguments: 0..<40)
  func changes(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var todos = (0..<Int.random(in: 0..<60, using: &random)).map { Todo(id: $0, title: "t\($0)") }
    var text = _EncodedJSON()
    try text.update(to: todos)
    for _ in 0..<60 {
      let changed = todos.indices.filter { _ in Int.random(in: 0..<8, using: &random) == 0 }
      for index in changed { todos[index] = changedTodo(todos[index], &random) }
      try text.update(to: todos, .changed(changed))
      #expect(text.bytes == (try JSON.encode(todos)))
    }
  }

  private func changedTodo(_ todo: Todo, _ random: inout SplitMix64) -> Todo {
    var todo = todo
    switch Int.random(in: 0..<4, using: &random) {
    case 0: todo.completed.toggle()
    case 1: todo.title = String(repeating: "é\"", count: Int.random(in: 0..<30, using: &random))
    case 2: todo.id = Int(truncatingIfNeeded: random.next())
    default: break
    }
    return todo
  }

  @Test("elements that come, go or move are found where it is said that anything may have changed")
  func unknownChanges() throws {
    var random = SplitMix64(seed: 1)
    var numbers: [[Double]] = [[1], []]
    var text = _EncodedJSON()
    for _ in 0..<200 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: numbers.insert([0.5], at: Int.random(in: 0...numbers.count, using: &random))
      case 1: if !numbers.isEmpty { numbers.removeLast() }
      case 2: numbers.shuffle(using: &random)
      default: break
      }
      try text.update(to: numbers)
      #expect(text.bytes == (try JSON.encode(numbers)))
      // The next change of a single element finds its place.
      guard !numbers.isEmpty else { continue }
      numbers[numbers.count / 2].append(2)
      try text.update(to: numbers, .changed([numbers.count / 2]))
      #expect(text.bytes == (try JSON.encode(numbers)))
    }
  }

  @Test(
    "places that make no sense have everything written",
    arguments: [[3, 1], [1, 1], [-1], [4], [0, 1, 2, 3, 4]])
  func nonsense(places: [Int]) throws {
    var text = _EncodedJSON()
    try text.update(to: ["a", "b", "c", "d"])
    try text.update(to: ["e", "f", "g", "h"], .changed(places))
    #expect(text.bytes == Array(#"["e","f","g","h"]"#.utf8))
  }

  @Test("places are ignored where the number of elements has changed")
  func otherCount() throws {
    var text = _EncodedJSON()
    try text.update(to: [1, 2, 3])
    try text.update(to: [1, 2], .changed([0]))
    #expect(text.bytes == Array("[1,2]".utf8))
    try text.update(to: [Int](), .changed([]))
    #expect(text.bytes == Array("[]".utf8))
  }

  @Test("the first update writes everything, whatever has changed")
  func first() throws {
    var text = _EncodedJSON()
    try text.update(to: [Int](), .changed([]))
    #expect(text.bytes == Array("[]".utf8))
    var other = _EncodedJSON()
    try other.update(to: 5)
    try other.update(to: [Int](), .changed([]))
    #expect(other.bytes == Array("[]".utf8))
  }

  @Test("values that are no arrays are written as a whole")
  func wholes() throws {
    var text = _EncodedJSON()
    try text.update(to: Todo(), .changed([0]))
    #expect(text.bytes == (try JSON.encode(Todo())))
    try text.update(to: Todo(id: 1), .changed([]))
    #expect(text.bytes == (try JSON.encode(Todo(id: 1))))
  }

  @Test("an element that cannot be written leaves the text as it was, and is named")
  func failures() throws {
    var text = _EncodedJSON()
    try text.update(to: [0.5, 1, 2])
    let before = text.bytes
    do {
      try text.update(to: [0.5, 1, .nan], .changed([2]))
      Issue.record("NaN was written")
    } catch {
      #expect(error.reason == .notFinite)
      #expect(error.path == "[2]")
      #expect(error.offset == 9)
    }
    #expect(text.bytes == before)
    // The changes since the last text need not be reported again.
    try text.update(to: [4.5, 1, 3], .changed([0]))
    #expect(text.bytes == Array("[4.5,1.0,3.0]".utf8))
  }

  @Test("an element nests no deeper for being written alone")
  func depth() throws {
    var tree = Tree()
    for _ in 1..<JSONReader.maximumDepth / 2 { tree = Tree(children: [tree]) }
    var text = _EncodedJSON()
    try text.update(to: [Tree()])
    #expect(throws: JSONError.self) { try text.update(to: [tree], .changed([0])) }
    #expect(text.bytes == (try JSON.encode([Tree()])))
  }

  @Test("a text holds just its own bytes", arguments: 0..<20)
  func holds(count: Int) throws {
    var text = _EncodedJSON()
    try text.update(to: String(repeating: "a", count: count))
    let bytes = try JSON.encode(String(repeating: "a", count: count))
    #expect(text.holds(bytes) && text.holds(text.bytes))
    #expect(!text.holds(bytes + [0]) && !text.holds(Array(bytes.dropLast())))
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 1
      #expect(!text.holds(other))
    }
  }
}
