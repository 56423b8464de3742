import SharingCore
import WasiStorage

extension SharedReaderKey {
  /// The last 16 values that were replaced under a key that loses no change, the oldest first. See
  /// ``WasiStorage/ReplacedValue``.
  ///
  /// ```swift
  /// @Shared(.replacedValues(of: .indexedDB("todos")))
  /// var replaced: [ReplacedValue<[Todo]>] = []
  /// ```
  /// - Parameter key: The key of the values, with its version and migrations.
  public static func replacedValues<Value>(of key: RevisionKey<Value>) -> Self
  where Self == RevisionKey<[ReplacedValue<Value>]> {
    let record = key.record
    return RevisionKey(
      record.name.copy("replaced"), record.label, in: record.store,
      journaling: record.journalScope, adopting: nil, .replacedValues(of: key.coding))
  }
}
