/// Something a person can do, by name: `data-click="increment"` in the page, `increment` on the
/// command line.
struct Action {
  let name: StaticString
  let run: () -> Void

  init(_ name: StaticString, _ run: @escaping () -> Void) {
    self.name = name
    self.run = run
  }

  /// Bytes and not `String` are compared, which would link the Unicode tables.
  func isNamed(_ other: [UInt8]) -> Bool {
    UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount).elementsEqual(other)
  }
}
