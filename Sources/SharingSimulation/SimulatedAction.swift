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
  ///   - perform: Does it. It receives the tab, and a number that differs for each action of a
  ///     schedule, to make an id, say, or to choose (`number % 3`). What it does must depend only
  ///     on the number and the tab's values. It has to read the values that it changes in
  ///     `withLock`, and those that are committed in `update`: what the tab shows of them may be
  ///     out of date.
  public init(_ name: String, _ perform: @escaping @Sendable (_ tab: Tab, _ number: Int) -> Void) {
    self.name = name
    self.perform = perform
  }
}
