import Foundation
import Workloads

/// The same as `StoredTodo`, for Foundation.
private struct Todo: Codable {
  var id: Int
  var title: String
  var completed: Bool

  static var list: [Todo] {
    (0..<10_000).map { Todo(id: $0, title: "Todo number \($0)", completed: $0 % 3 == 0) }
  }
}

extension Workload {
  /// The baselines of the codec.
  static let foundation = [
    Workload("JSONEncoder of 10,000 todos") {
      let todos = Todo.list
      let encoder = JSONEncoder()
      let seen = Seen()
      return { for _ in 0..<$0 { seen.value = (try? encoder.encode(todos))?.count ?? 0 } }
    },
    Workload("JSONDecoder of 10,000 todos") {
      let data = (try? JSONEncoder().encode(Todo.list)) ?? Data()
      let decoder = JSONDecoder()
      let seen = Seen()
      return {
        for _ in 0..<$0 { seen.value = (try? decoder.decode([Todo].self, from: data))?.count ?? 0 }
      }
    },
  ]
}
