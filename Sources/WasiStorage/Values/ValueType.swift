/// The type of a stored value. Embedded Swift cannot compare metatypes, but can downcast classes.
///
/// ```swift
/// ValueTypeOf<Int>().isSame(as: ValueTypeOf<String>())  // false
/// ```
package class ValueType: @unchecked Sendable {
  /// Returns whether both are the same type.
  package func isSame(as other: ValueType) -> Bool { fatalError("isSame(as:) is overridden") }
}

/// The type `Value`.
final class ValueTypeOf<Value>: ValueType, @unchecked Sendable {
  override func isSame(as other: ValueType) -> Bool { other is ValueTypeOf<Value> }
}
