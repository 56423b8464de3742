// The texts of values in failures. Natively, reflection makes them. Embedded Swift has no
// reflection and uses the value's description, if it has one.
#if hasFeature(Embedded)
  extension Shared where Value: Equatable & CustomStringConvertible {
    /// Asserts the changes of the value; unlike the other `assert`, failures show the values.
    public func assert<Failure: Error>(
      _ updateValueToExpected: (inout Value) throws(Failure) -> Void,
      fileID: StaticString = #fileID, line: UInt = #line
    ) throws(Failure) {
      let site = CallSite(fileID: fileID, line: line)
      try assert(updateValueToExpected, at: site) { UTF8Text($0.description) }
    }
  }

  /// Returns nil: there is no text of a value.
  func valueText<Value>(_ value: Value) -> UTF8Text? { nil }

  /// Returns the name of a shared value for messages.
  func sharedName<Value>(of type: Value.Type) -> UTF8Text { "shared value" }

  /// Returns the difference of two values, as a paragraph.
  func paragraph(_ old: UTF8Text?, _ new: UTF8Text?, _ legend: StaticString) -> UTF8Text {
    guard let old, let new else { return "" }
    return "\n\n    - \(old)\n    + \(new)\n\n\(legend)"
  }

  extension TrackedCell {
    /// The name of the value in messages.
    var name: UTF8Text { "shared value" }

    /// Whether the value is unchanged. Without reflection, only its own bytes can be compared.
    /// Equal bytes are equal values; a value with memory of its own may be equal and have other
    /// bytes.
    var isUnchanged: Bool {
      let now = UnsafeRawBufferPointer(start: cell.address, count: cell.byteCount)
      return now.elementsEqual(UnsafeRawBufferPointer(start: before.address, count: cell.byteCount))
    }

    /// The text of the change, between two sentences of a message.
    var difference: UTF8Text { " " }
  }
#else
  /// Returns the text of a value.
  func valueText<Value>(_ value: Value) -> UTF8Text? { UTF8Text(ValueText.text(value)) }

  /// Returns the name of a shared value for messages.
  func sharedName<Value>(of type: Value.Type) -> UTF8Text {
    UTF8Text("Shared<\(typeText(type))>" as String)
  }

  /// Returns the difference of two values, as a paragraph.
  func paragraph(_ old: UTF8Text?, _ new: UTF8Text?, _ legend: StaticString) -> UTF8Text {
    guard let old, let new else { return "" }
    let lines = LineDifference(from: old.description, to: new.description)
    return "\n\n\(UTF8Text(lines.text))\n\n\(legend)"
  }

  extension TrackedCell {
    /// The name of the value in messages.
    var name: UTF8Text { cell.typed.name }

    /// Whether the value is unchanged. If it is not `Equatable`, compares the texts.
    var isUnchanged: Bool { cell.typed.isEqual(to: before) }

    /// The text of the change, between two sentences of a message.
    var difference: UTF8Text {
      "\(paragraph(before.typed.text, cell.typed.text, "(before: -, after: +)"))\n\n"
    }
  }

  /// A cell with access to its value for code that does not have its type.
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
