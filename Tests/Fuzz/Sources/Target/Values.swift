import WasiStorage

/// Any object: its members are checked, and not kept.
struct Anything: JSONCodable {
  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {}
}

/// A field of every kind.
struct Everything: JSONCodable {
  var id: Int64 = 0
  var count: UInt64 = 0
  var ratio = 0.0
  var small: Float = 0
  var isDone = false
  var title = ""
  var note: String?
  var filter = Filter.all
  var names: [String] = []
  var scores: [String: Int] = [:]
  var inner: [Everything] = []
  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("id", &id)
    try json.field("count", &count)
    try json.field("ratio", &ratio)
    try json.field("small", &small)
    try json.field("is\"\\done", &isDone)
    try json.field("title", &title)
    try json.field("é", &note)
    try json.field("filter", &filter)
    try json.field("names", &names)
    try json.field("scores", &scores)
    try json.field("inner", &inner)
  }
}

enum Filter: String, JSONValue {
  case all
  case active
}

/// A type that contains itself.
struct Tree: JSONCodable {
  var children: [Tree] = []
  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("children", &children)
  }
}
