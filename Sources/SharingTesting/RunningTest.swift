import SharingCore
import Testing

/// A test of Swift Testing that is running, or the case of a parameterized one.
struct RunningTest: Hashable {
  let test: Test
  /// The identity of the case among those of its test; nil if the test has no parameters.
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
  /// The identity of the case among those of its test: the ids of its arguments, and its number
  /// among cases with equal ids.
  ///
  /// Swift Testing has no public name for these, so reflection finds them. If it finds none, the
  /// identity is the description of the whole case. That is slower, and equal for two arguments
  /// with one description.
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
