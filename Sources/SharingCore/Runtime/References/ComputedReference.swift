/// A value that is computed from another reference's; read-only.
///
/// The closure is foreign code: it runs on a copy of the base's value, under no lock. If the
/// results can be compared, observers run only if the result changed (rule R9).
final class ComputedReference<Value, Output>: DerivedReference, @unchecked Sendable {
  private let compute: (Value) -> Output
  private let areEqual: ((Output, Output) -> Bool)?

  init(
    of base: Reference, areEqual: ((Output, Output) -> Bool)? = nil,
    _ compute: @escaping (Value) -> Output
  ) {
    self.compute = compute
    self.areEqual = areEqual
    super.init(.whole, of: base)
  }

  override func withAddress(_ access: Access, _ body: (UnsafeMutableRawPointer) -> Void) {
    var output = output()
    withUnsafeMutablePointer(to: &output) { body(UnsafeMutableRawPointer($0)) }
  }

  override func changeCheck(since value: UnsafeRawPointer) -> (() -> Bool)? {
    guard let areEqual else { return nil }
    let seen = value.assumingMemoryBound(to: Output.self).pointee
    return { !areEqual(seen, self.output()) }
  }

  private func output() -> Output {
    compute(base.value())
  }
}
