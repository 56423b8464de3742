import Testing
import WasiStorage

@Suite("JSON objects")
struct JSONObjectTests {
  let todo = Todo(id: 7, title: "tea", completed: true)

  @Test("an object is written in the order of its fields")
  func writes() throws {
    #expect(try encode(todo) == #"{"id":7,"title":"tea","completed":true}"#)
  }

  @Test("a list comes back as it was")
  func roundTrip() throws {
    let list = TodoList(todos: [todo, Todo()], counts: ["b": 2, "a": 1])
    #expect(try decode(TodoList.self, try encode(list)) == list)
  }

  @Test(
    "members may come in any order",
    arguments: [
      #"{"id":7,"title":"tea","completed":true}"#, #"{"id":7,"completed":true,"title":"tea"}"#,
      #"{"title":"tea","id":7,"completed":true}"#, #"{"title":"tea","completed":true,"id":7}"#,
      #"{"completed":true,"id":7,"title":"tea"}"#, #"{"completed":true,"title":"tea","id":7}"#,
    ])
  func anyOrder(text: String) throws {
    #expect(try decode(Todo.self, text) == todo)
  }

  @Test("a field that the object lacks keeps its default")
  func missing() throws {
    #expect(try decode(Todo.self, "{}") == Todo())
    #expect(try decode(Todo.self, #"{"title":"tea"}"#) == Todo(title: "tea"))
  }

  @Test(
    "a member without a field is skipped, wherever it stands",
    arguments: [
      #"{"x":1,"id":7,"title":"tea","completed":true}"#,
      #"{"id":7,"x":{"id":8},"y":[],"title":"tea","completed":true}"#,
      #"{"id":7,"title":"tea","completed":true,"x":"\"}","y":null}"#,
      #"{"completed":true,"x":1,"title":"tea","i":2,"idd":3,"id":7,"ID":4,"":5}"#,
    ])
  func unknown(text: String) throws {
    #expect(try decode(Todo.self, text) == todo)
  }

  @Test(
    "a member without a field is still checked",
    arguments: [
      #"{"x":01}"#, #"{"x":[1,]}"#, #"{"x":"\x"}"#, #"{"x":nul}"#, #"{"x":{"y"}}"#, #"{"x":1.}"#,
    ])
  func unknownInvalid(text: String) {
    #expect(failure(Todo.self, text) != nil)
  }

  @Test("of members with the same name the last one wins")
  func duplicates() throws {
    let text =
      #"{"id":1,"id":2,"title":"a","id":3,"completed":false,"title":"tea","completed":true,"id":7}"#
    #expect(try decode(Todo.self, text) == todo)
    #expect(try decode([String: Int].self, #"{"a":1,"b":2,"a":3}"#) == ["a": 3, "b": 2])
  }

  @Test("a member's name may be written with escapes")
  func escapedNames() throws {
    let text = #"{"\u0069d":7,"t\u0069tle":"tea","\u0063ompleted":true,"\u0069":1}"#
    #expect(try decode(Todo.self, text) == todo)
  }

  struct Odd: JSONCodable, Equatable {
    var quote = 0
    var backslash = 0
    var accent = 0
    var empty = 0
    var short = 0
    mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
      try json.field("\"", &quote)
      try json.field("a\\n", &backslash)
      try json.field("é😀", &accent)
      try json.field("", &empty)
      try json.field("s", &short)
    }
  }

  @Test("a field's name may be any text")
  func oddNames() throws {
    let odd = Odd(quote: 1, backslash: 2, accent: 3, empty: 4, short: 5)
    #expect(try encode(odd) == #"{"\"":1,"a\\n":2,"é😀":3,"":4,"s":5}"#)
    #expect(try decode(Odd.self, try encode(odd)) == odd)
    #expect(try decode(Odd.self, #"{"a\n":2,"\u0022":1}"#) == Odd(quote: 1))
  }

  struct Empty: JSONCodable, Equatable {
    mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {}
  }

  @Test("an object without fields takes any object")
  func empty() throws {
    #expect(try encode(Empty()) == "{}")
    #expect(try decode(Empty.self, #"{"a":1,"b":[{}]}"#) == Empty())
    #expect(failure(Empty.self, "[]") != nil)
  }

  @Test("many unknown members cost no more than a look each")
  func manyUnknown() throws {
    let members = (0..<50_000).map { "\"x\($0)\":\($0)" }.joined(separator: ",")
    #expect(try decode(Todo.self, "{\(members),\"id\":3}") == Todo(id: 3))
  }

  @Test("a dictionary is written in the order of its keys' bytes")
  func sortedKeys() throws {
    #expect(
      try encode(["b": 1, "": 0, "a": 2, "é": 3, "aa": 4]) == #"{"":0,"a":2,"aa":4,"b":1,"é":3}"#)
    #expect(try encode([String: Int]()) == "{}")
  }

  @Test("a dictionary may hold nil")
  func nilValues() throws {
    let values: [String: Int?] = ["a": nil, "b": 1]
    #expect(try decode([String: Int?].self, try encode(values)) == values)
  }
}
