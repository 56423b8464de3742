import SharingCore

/// The program of a browser tab, for a ``Simulation`` of several tabs: its shared values and its
/// actions.
///
/// ```swift
/// struct CounterTab: SimulatedTab {
///   @Shared(.localStorage("count")) var count = 0
///
///   var values: [SimulatedValue] { [SimulatedValue("count", $count)] }
///
///   static let actions: [SimulatedAction<CounterTab>] = [
///     SimulatedAction("increment") { tab, _ in tab.$count.withLock { $0 += 1 } }
///   ]
/// }
/// ```
/// Each tab is created and runs in an environment of its own. It must be deterministic: it uses no
/// clock, no random numbers, and no static state. `UniqueID()` makes the same ids each time, but in
/// the single program with which values are compared, others. So an action makes an id from its
/// number, `UniqueID(time: time, randomBits: UInt64(number))`, or `comparing:` leaves the ids out.
public protocol SimulatedTab: SendableMetatype {
  /// Opens the program: makes its wrappers and observers.
  init()

  /// The values that are checked after every turn, the same ones in every tab.
  var values: [SimulatedValue] { get }

  /// The actions of a person in a tab.
  static var actions: [SimulatedAction<Self>] { get }

  /// The problem with the state of the tab, checked after every turn; nil if there is none.
  ///
  /// ```swift
  /// var problem: String? {
  ///   Set(todos.map(\.id)).count == todos.count ? nil : "two todos have one id"
  /// }
  /// ```
  /// The default is nil.
  var problem: String? { get }
}

extension SimulatedTab {
  /// Nil.
  public var problem: String? { nil }

  static var actionNames: [String] { actions.map { $0.name } }

  func perform(_ name: String, _ number: Int) {
    Self.actions.first { $0.name == name }?.perform(self, number)
  }
}

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
  ///   - name: The name of the action in schedules, unique among the actions of the tab and
  ///     without a semicolon.
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

/// One shared value of a ``SimulatedTab``, for the checks of a ``Simulation``.
public struct SimulatedValue {
  let name: KeyName
  let value: () -> any Equatable
  /// The part of the value that is compared with that of a single program.
  let compared: () -> any Equatable
  let loadError: () -> (any Error)?
  let saveError: () -> (any Error)?
  let isSaving: () -> Bool
  let save: () -> Void
  let load: () -> Void
  /// Sets the value; does nothing for a reader.
  let change: (any Equatable) -> Void

  /// A stored value: a `Shared`, or a `SharedReader`, which is only read.
  /// - Parameters:
  ///   - name: The name of its item in the store. Values in several stores have different names.
  ///   - value: The value.
  public init<Value: Equatable>(_ name: String, _ value: some SharedReadable<Value>) {
    self.init(name, value.reader, value as? Shared<Value>, comparing: { $0 })
  }

  /// A stored value of which a part is compared with the value of a single program.
  ///
  /// ```swift
  /// SimulatedValue("todos", $todos, comparing: { $0.map(\.id).sorted() })
  /// ```
  /// A change that waits for another release is merged, and not made again. So compare the parts
  /// that a merge keeps, such as the ids of the elements, in any order. See ``Simulation``.
  /// - Parameters:
  ///   - name: The name of its item in the store. Values in several stores have different names.
  ///   - shared: The value.
  ///   - part: Returns the part.
  public init<Value: Equatable>(
    _ name: String, _ shared: Shared<Value>, comparing part: @escaping (Value) -> some Equatable
  ) {
    self.init(name, shared.reader, shared, comparing: part)
  }

  /// - Parameter shared: The wrapper that writes the value; nil if the program only reads it.
  private init<Value: Equatable>(
    _ name: String, _ reader: SharedReader<Value>, _ shared: Shared<Value>?,
    comparing part: @escaping (Value) -> some Equatable
  ) {
    self.name = KeyName(name)
    value = { reader.wrappedValue }
    compared = { part(reader.wrappedValue) }
    loadError = { reader.loadError }
    load = { reader.load() }
    saveError = { shared?.saveError }
    isSaving = { shared?.isSaving ?? false }
    save = { shared?.save() }
    change = { new in
      if let new = new as? Value { shared?.withLock { $0 = new } }
    }
  }
}

/// Whether two values of any type are equal.
func areEqual(_ left: any Equatable, _ right: any Equatable) -> Bool {
  func compare<Left: Equatable>(_ left: Left) -> Bool { left == right as? Left }
  return compare(left)
}
