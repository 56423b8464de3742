import WasiStorage

/// An element of a stored list: 10,000 of them take 564,447 bytes of JSON.
public struct StoredTodo: JSONCodable, Identifiable {
  /// Its number.
  public var id = 0
  /// Its text.
  public var title = ""
  /// Whether it is done.
  public var completed = false

  /// A todo without a title.
  public init() {}

  init(id: Int, title: String = "", completed: Bool = false) {
    (self.id, self.title, self.completed) = (id, title, completed)
  }

  /// Shows its fields.
  public mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("id", &id)
    try json.field("title", &title)
    try json.field("completed", &completed)
  }

  /// Ten thousand todos with ids from 0; `page/storage.js` and `FoundationTodos.swift` create the
  /// same list.
  static var list: [StoredTodo] { list(of: 10_000) }

  /// Returns a list with a number of todos.
  static func list(of count: Int) -> [StoredTodo] {
    (0..<count).map { StoredTodo(id: $0, title: "Todo number \($0)", completed: $0 % 3 == 0) }
  }
}
