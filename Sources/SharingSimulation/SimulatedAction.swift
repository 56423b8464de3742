/// An action of a person in a tab: one turn of the program. See ``SimulatedTab``.
public struct SimulatedAction<Tab: SimulatedTab>: Sendable {
  let name: String
  let perform: @Sendable (Tab, Int) -> Void

  /// Creates an action.
  ///
  /// ```swift
  /// SimulatedAction("add") { tab, number in
  ///   tab.$todos.withLock { $0.append(Todo(id: number)) }
  /// }
  /// ```
  /// - Parameters:
  ///   - name: The name of the action in schedules, unique among the actions of the tab.
  ///   - perform: Performs the action. It receives the tab, and a number that differs for each
  ///     action of a schedule, for example for an id or for a choice (`number % 3`). Its effect
  ///     must depend only on the number and the tab's values. It has to read the values that it
  ///     changes in `withLock`, committed values in `update`, since the shown values may be out of
  ///     date.
  public init(_ name: String, _ perform: @escaping @Sendable (_ tab: Tab, _ number: Int) -> Void) {
    self.name = name
    self.perform = perform
  }
}
