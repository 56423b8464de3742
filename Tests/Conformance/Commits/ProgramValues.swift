import SharingCore
import WasiStorage

/// An element of a list that several programs change.
struct Task: JSONCodable, Identifiable, Equatable {
  var id = 0
  var title = ""
  var done = false
  var marks = 0

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("id", &id)
    try json.field("title", &title)
    try json.field("done", &done)
    try json.field("marks", &marks)
  }
}

/// A value with parts that several programs change.
struct Tally: JSONCodable, Equatable {
  var name = ""
  var note = ""
  var count = 0

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("name", &name)
    try json.field("note", &note)
    try json.field("count", &count)
  }
}
