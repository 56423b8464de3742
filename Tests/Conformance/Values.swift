import WasiStorage

/// A value with parts, for the cases.
struct User: JSONCodable {
  var name = "Blob"
  var age = 1
  var address = Address()
  var scores: [Int] = []

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("name", &name)
    try json.field("age", &age)
    try json.field("address", &address)
    try json.field("scores", &scores)
  }
}

struct Address: JSONCodable {
  var street = "Main"
  var number = 1
  let planet = 3

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("street", &street)
    try json.field("number", &number)
  }
}

/// An element of a list, for the cases.
struct Item: Identifiable, Sendable {
  let id: Int
  var title = ""
  var number = 0
  var tags: [Int] = []
}
