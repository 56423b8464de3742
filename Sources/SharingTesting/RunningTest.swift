import SharingCore
import Testing

/// A test of Swift Testing that is running, or the case of a parameterized one.
struct RunningTest: Hashable {
  let test: Test
  /// What tells the case from other cases of the test; nil where the test has no parameters.
  private let arguments: String?

  /// The test of the current task; nil outside of all.
  static var current: RunningTest? {
    guard let test = Test.current else { return nil }
    guard let testCase = Test.Case.current, testCase.isParameterized else {
      return RunningTest(test: test, arguments: nil)
    }
    return RunningTest(test: test, arguments: testCase.identity)
  }

  static func == (left: RunningTest, right: RunningTest) -> Bool {
    left.test.id == right.test.id && left.arguments == right.arguments
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(test.id)
    hasher.combine(arguments)
  }
}

extension Test.Case {
  /// What tells the case from the other cases of its test: the ids of its arguments, and the number
  /// among cases with equal ids.
  ///
  /// Swift Testing has both, and no public name for them, so they are looked up by reflection. If
  /// that finds no ids, the whole case is described, which is slower and tells apart all but
  /// arguments that look the same.
  fileprivate var identity: String {
    guard let payload = child(of: child(of: self, "_kind"), "parameterized"),
      let arguments = child(of: payload, "arguments"),
      let discriminator = child(of: payload, "discriminator")
    else { return String(reflecting: self) }
    let ids = Mirror(reflecting: arguments).children.map { argument in
      child(of: argument.value, "id").map { "\($0)" }
    }
    if ids.contains(nil) { return String(reflecting: self) }
    return "\(discriminator) \(ids)"
  }
}

/// A child of a value, by its label.
private func child(of value: Any?, _ label: String) -> Any? {
  guard let value else { return nil }
  return Mirror(reflecting: value).children.first { $0.label == label }?.value
}
