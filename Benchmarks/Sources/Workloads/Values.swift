/// A value with parts.
struct User: Sendable {
  var name = "Blob"
  var age = 1
}

/// An element of a list. Its title is too long to be stored inside the string.
struct Todo: Identifiable, Sendable {
  let id: Int
  var title: String
  var isCompleted = false

  init(id: Int) {
    self.id = id
    title = "Write the report number \(id)"
  }

  /// Returns a number of todos with ids from 0.
  static func list(of count: Int) -> [Todo] {
    (0..<count).map { Todo(id: $0) }
  }
}
