import SharingCore

/// One shared value of a ``SimulatedTab``, for the checks of a ``Simulation``.
public struct SimulatedValue {
  let name: KeyName
  let value: () -> any Equatable
  let loadError: () -> (any Error)?
  let saveError: () -> (any Error)?
  let isSaving: () -> Bool
  let save: () -> Void
  let load: () -> Void
  /// Sets the value; does nothing for a reader.
  let change: (any Equatable) -> Void

  /// A stored value.
  /// - Parameters:
  ///   - name: The name of its item in the store. Values in several stores have different names.
  ///   - shared: The value.
  public init<Value: Equatable>(_ name: String, _ shared: Shared<Value>) {
    self.name = KeyName(name)
    value = { shared.wrappedValue }
    loadError = { shared.loadError }
    saveError = { shared.saveError }
    isSaving = { shared.isSaving }
    save = { shared.save() }
    load = { shared.load() }
    change = { new in
      if let new = new as? Value { shared.withLock { $0 = new } }
    }
  }

  /// A read-only value.
  /// - Parameters:
  ///   - name: The name of its item in the store.
  ///   - reader: The value.
  public init<Value: Equatable>(_ name: String, _ reader: SharedReader<Value>) {
    self.name = KeyName(name)
    value = { reader.wrappedValue }
    loadError = { reader.loadError }
    saveError = { nil }
    isSaving = { false }
    save = {}
    load = { reader.load() }
    change = { _ in }
  }
}

/// Whether two values of any type are equal.
func areEqual(_ left: any Equatable, _ right: any Equatable) -> Bool {
  func compare<Left: Equatable>(_ left: Left) -> Bool { left == right as? Left }
  return compare(left)
}
