import Testing
import WasiStorage

/// The lookup of fields by member names.
@Suite("JSON names")
struct JSONNameTests {
  /// Fields with every length around the block size of the comparison.
  struct Names: JSONCodable, Equatable {
    static let letters = "abcdefghijklmnopq"
    static let lengths = [0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17]
    var values = Array(repeating: 0, count: lengths.count)

    mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
      try json.field("", &values[0])
      try json.field("a", &values[1])
      try json.field("ab", &values[2])
      try json.field("abc", &values[3])
      try json.field("abcd", &values[4])
      try json.field("abcde", &values[5])
      try json.field("abcdefg", &values[6])
      try json.field("abcdefgh", &values[7])
      try json.field("abcdefghi", &values[8])
      try json.field("abcdefghijkl", &values[9])
      try json.field("abcdefghijklmno", &values[10])
      try json.field("abcdefghijklmnop", &values[11])
      try json.field("abcdefghijklmnopq", &values[12])
    }
  }

  /// Returns an object with the first of the fields, numbered; the last one has another name.
  func object(_ count: Int, last: String) -> String {
    let names = Names.lengths.prefix(count - 1).map { String(Names.letters.prefix($0)) } + [last]
    return "{" + names.enumerated().map { #""\#($1)":\#($0 + 1)"# }.joined(separator: ",") + "}"
  }

  @Test("a field is found whatever the length of its name", arguments: 1...Names.lengths.count)
  func found(count: Int) throws {
    let name = String(Names.letters.prefix(Names.lengths[count - 1]))
    var expected = Names()
    expected.values[count - 1] = 7
    #expect(try decode(Names.self, #"{"\#(name)":7}"#) == expected)
    for place in 0..<count { expected.values[place] = place + 1 }
    #expect(try decode(Names.self, object(count, last: name)) == expected)
  }

  @Test("a name with one other letter is another one", arguments: 1...Names.lengths.count)
  func otherLetter(count: Int) throws {
    let name = Names.letters.prefix(Names.lengths[count - 1])
    var expected = Names()
    for place in 0..<count - 1 { expected.values[place] = place + 1 }
    for place in name.indices {
      let other = name[..<place] + "z" + name[name.index(after: place)...]
      #expect(try decode(Names.self, object(count, last: String(other))) == expected)
    }
  }

  struct Pair: JSONCodable, Equatable {
    var first = 0
    var todo = Todo()
    var others: [Todo] = []
    var last = 0
    mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
      try json.field("first", &first)
      try json.field("todo", &todo)
      try json.field("others", &others)
      try json.field("last", &last)
    }
  }

  @Test(
    "an object within another one does not disturb its members",
    arguments: [
      #"{"first":1,"todo":{"id":2,"x":0},"others":[{},{"id":3}],"last":4}"#,
      #"{"last":4,"others":[{},{"x":{},"id":3}],"todo":{"title":"","id":2},"first":1}"#,
      #"{"todo":{"x":[{"todo":5}],"id":2},"x":{"last":6},"last":4,"first":1,"others":[{},{"id":3}]}"#,
      #"{"others":[{"id":9}],"todo":{"id":9},"todo":{"id":2},"others":[{},{"id":3}],"first":1,"last":4}"#,
      #"{"first":1,"t\u006fdo":{"\u0069d":2},"others":[{},{"id":3}],"\u006cast":4,"x":{}}"#,
    ])
  func nested(text: String) throws {
    let expected = Pair(first: 1, todo: Todo(id: 2), others: [Todo(), Todo(id: 3)], last: 4)
    #expect(try decode(Pair.self, text) == expected)
  }

  @Test("a list may be longer than objects may be deep")
  func longList() throws {
    let todos = (0..<2000).map { Todo(id: $0, title: "tea", completed: true) }
    #expect(try decode([Todo].self, try encode(todos)) == todos)
    let spaced = try encode(todos).replacing("}", with: " }").replacing("{", with: "{ ")
    #expect(try decode([Todo].self, spaced) == todos)
  }

  @Test("of an object that ends within another one, the other goes on")
  func empty() throws {
    #expect(try decode(Pair.self, #"{"todo":{},"last":4}"#) == Pair(last: 4))
    #expect(try decode(Pair.self, #"{"others":[],"todo":{}}"#) == Pair())
    #expect(failure(Pair.self, #"{"todo":{}"last":4}"#) != nil)
    #expect(failure(Pair.self, #"{"todo":{},}"#) != nil)
    #expect(failure(Pair.self, #"{"todo":{},"last"4}"#) != nil)
  }

  /// An object with one field.
  struct One<Name: FieldName>: JSONCodable, Equatable {
    var value = 0
    mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
      try json.field(Name.text, &value)
    }
  }

  @Test("a name that has to be escaped is not taken as it is")
  func escaped() throws {
    #expect(try decode(One<Backslash>.self, #"{"a\n":1}"#).value == 0)
    #expect(try decode(One<Backslash>.self, #"{"a\\n":1}"#).value == 1)
    #expect(failure(One<Quotes>.self, #"{"a long "name"":1}"#) != nil)
    #expect(try decode(One<Quotes>.self, #"{"a long \"name\"":1}"#).value == 1)
    #expect(failure(One<Tab>.self, "{\"a\tbc\":1}") != nil)
    #expect(try decode(One<Tab>.self, #"{"a\tbc":1}"#).value == 1)
    #expect(try decode(One<Accents>.self, #"{"größe é😀":1}"#).value == 1)
  }

  @Test(
    "what is no member is not taken for one",
    arguments: [
      #"[{"x":"id":7}]"#, #"[{"id":7}"completed":true]"#, #"[{"id":7,"x":"completed":true}]"#,
      #"[{"id":7"title":""}]"#, #"[{"id":7,,"title":""}]"#, #"[{,"id":7}]"#, #"[{"id":7,}]"#,
    ])
  func noMember(text: String) {
    #expect(failure([Todo].self, text) != nil)
  }

  @Test("nothing behind the end is looked at")
  func end() throws {
    let bytes = Array(
      #"{"id":7,"title":"tea","completed":true,"x":"\u0041","y":[1.5e3,null]}"#.utf8)
    for count in bytes.indices {
      let text = String(decoding: bytes[..<count], as: UTF8.self)
      let expected = try #require(failure(Todo.self, text))
      bytes.withUnsafeBytes { all in
        var reader = JSONReader(unowned: UnsafeRawBufferPointer(rebasing: all[..<count]))
        #expect(throws: expected) { try Todo.decode(from: &reader) }
      }
    }
  }
}

protocol FieldName {
  static var text: StaticString { get }
}

enum Backslash: FieldName { static let text: StaticString = "a\\n" }
enum Quotes: FieldName { static let text: StaticString = "a long \"name\"" }
enum Tab: FieldName { static let text: StaticString = "a\tbc" }
enum Accents: FieldName { static let text: StaticString = "größe é😀" }
