/// Something that a person can do in a tab: one turn of the program. See ``SimulatedTab``.
public struct SimulatedAction<Tab: SimulatedTab>: Sendable {
  let name: String
  let perform: @Sendable (Tab, Int) -> Void

  /// An action.
  ///
  /// ```swift
  /// SimulatedAction("add") { tab, number in
  ///   tab.$todos.withLock { $0.append(Todo(id: number)) }
  /// }
  /// ```
  /// - Parameters:
  ///   - name: Names the action in a schedule; no two of a tab are called the same.
  ///   - perform: Does it. It receives the tab, and a number that is another one for each action of
  ///     a schedule, such as to make an id, or to choose (`number % 3`). What it does must depend on
  ///     nothing else than the number and the tab's values. A value that it changes it has to read in
  ///     `withLock`: what the tab shows of it may be out of date.
  public init(_ name: String, _ perform: @escaping @Sendable (_ tab: Tab, _ number: Int) -> Void) {
    self.name = name
    self.perform = perform
  }
}
