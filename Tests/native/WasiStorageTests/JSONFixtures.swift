import WasiStorage

/// The object of DESIGN.md, section 6.
struct Todo: JSONCodable, Equatable, Identifiable {
  var id = 0
  var title = ""
  var completed = false
  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("id", &id)
    try json.field("title", &title)
    try json.field("completed", &completed)
  }
}

/// An object with objects in it.
struct TodoList: JSONCodable, Equatable {
  var todos: [Todo] = []
  var counts: [String: Int] = [:]
  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("todos", &todos)
    try json.field("counts", &counts)
  }
}

/// A type that contains itself.
struct Tree: JSONCodable, Equatable {
  var children: [Tree] = []
  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("children", &children)
  }
}

/// Any JSON: validated, but not stored.
struct AnyJSON: JSONValue {
  static func decode(from reader: inout JSONReader) throws(JSONError) -> AnyJSON {
    try reader.skipValue()
    return AnyJSON()
  }
  func encode(into writer: inout JSONWriter) { writer.null() }
}

func decode<Value: JSONValue>(
  _ type: Value.Type = Value.self, _ text: String
) throws(JSONError) -> Value {
  try JSON.decode(type, from: Array(text.utf8))
}

func encode(_ value: some JSONValue) throws(JSONError) -> String {
  String(decoding: try JSON.encode(value), as: UTF8.self)
}

/// Returns the error of reading the text; nil if there is none.
func failure(_ type: (some JSONValue).Type, _ text: String) -> JSONError? {
  failure(type, Array(text.utf8))
}

func failure<Value: JSONValue>(_ type: Value.Type, _ bytes: [UInt8]) -> JSONError? {
  do {
    _ = try JSON.decode(type, from: bytes)
    return nil
  } catch {
    return error
  }
}
