// What a failure shows of values. Natively it is all that reflection finds; Embedded Swift has
// none, so there it is what a value says of itself, if it does.
#if hasFeature(Embedded)
  extension Shared where Value: Equatable & CustomStringConvertible {
    /// Asserts how the value has changed; see the other `assert`, which knows less to show.
    public func assert<Failure: Error>(
      _ updateValueToExpected: (inout Value) throws(Failure) -> Void,
      fileID: StaticString = #fileID, line: UInt = #line
    ) throws(Failure) {
      let site = CallSite(fileID: fileID, line: line)
      try assert(updateValueToExpected, at: site) { UTF8Text($0.description) }
    }
  }

  /// What a value looks like: not known.
  func valueText<Value>(_ value: Value) -> UTF8Text? { nil }

  /// What a shared value is called in messages.
  func sharedName<Value>(of type: Value.Type) -> UTF8Text { "shared value" }

  /// The difference of two values, as a paragraph.
  func paragraph(_ old: UTF8Text?, _ new: UTF8Text?, _ legend: StaticString) -> UTF8Text {
    guard let old, let new else { return "" }
    return "\n\n    - \(old)\n    + \(new)\n\n\(legend)"
  }

  extension TrackedCell {
    /// What the value is called in messages.
    var name: UTF8Text { "shared value" }

    /// Whether the value is what it was before. Without reflection only its own bytes can be
    /// compared: equal ones are equal values; others may be, with memory of their own.
    var isUnchanged: Bool {
      let now = UnsafeRawBufferPointer(start: cell.address, count: byteCount)
      return now.elementsEqual(UnsafeRawBufferPointer(start: before.address, count: byteCount))
    }

    /// How the value has changed: what stands between two sentences.
    var difference: UTF8Text { " " }
  }
#else
  /// What a value looks like.
  func valueText<Value>(_ value: Value) -> UTF8Text? { UTF8Text(ValueText(of: value).text) }

  /// What a shared value is called in messages.
  func sharedName<Value>(of type: Value.Type) -> UTF8Text { UTF8Text("Shared<\(type)>" as String) }

  /// The difference of two values, as a paragraph.
  func paragraph(_ old: UTF8Text?, _ new: UTF8Text?, _ legend: StaticString) -> UTF8Text {
    guard let old, let new else { return "" }
    let lines = LineDifference(from: old.description, to: new.description)
    return "\n\n\(UTF8Text(lines.text))\n\n\(legend)"
  }

  extension TrackedCell {
    /// What the value is called in messages.
    var name: UTF8Text { cell.typed.name }

    /// Whether the value is what it was before: equal where it can be compared, and otherwise
    /// looking the same.
    var isUnchanged: Bool { cell.typed.isEqual(to: before) }

    /// How the value has changed: what stands between two sentences.
    var difference: UTF8Text {
      "\(paragraph(before.typed.text, cell.typed.text, "(before: -, after: +)"))\n\n"
    }
  }

  /// A cell whose value can be looked at without knowing its type.
  private protocol TypedRoot {
    var name: UTF8Text { get }
    var text: UTF8Text? { get }
    func isEqual(to other: Cell) -> Bool
  }

  extension Cell {
    fileprivate var typed: any TypedRoot { self as! any TypedRoot }
  }

  extension TypedCell: TypedRoot {
    var name: UTF8Text { sharedName(of: Value.self) }

    var text: UTF8Text? { valueText(value() as Value) }

    func isEqual(to other: Cell) -> Bool {
      let left: Value = value()
      let right: Value = other.value()
      if let left = left as? any Equatable { return left.isEqual(to: right) }
      return text == other.typed.text
    }
  }

  extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool {
      (other as? Self) == self
    }
  }
#endif
