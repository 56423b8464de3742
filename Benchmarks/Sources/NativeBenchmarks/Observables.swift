import Observation
import Workloads

@Observable
private final class Model {
  var count = 0
}

extension Workload {
  /// Swift's `@Observable`, for comparison.
  static let observables = [
    Workload("@Observable property write") {
      let model = Model()
      return { for _ in 0..<$0 { model.count += 1 } }
    }
  ]
}
