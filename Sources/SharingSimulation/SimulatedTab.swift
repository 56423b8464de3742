/// A program as a browser tab runs it, for a ``Simulation`` of several: its shared values and its
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
/// A tab has an environment of its own, in which it is made and does everything. It must be
/// deterministic: no clock, no random numbers, nothing static.
public protocol SimulatedTab: SendableMetatype {
  /// Opens the program: makes its wrappers, and observers that belong to it.
  init()

  /// Opens the program in a certain tab: for tabs that differ, as before and after an update.
  ///
  /// The default calls ``init()``. At the end, another tab 0 reads the stored values.
  /// - Parameter number: The tab's number, from 0.
  init(tab number: Int)

  /// The values that are looked at after every turn, the same ones in every tab.
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
  /// Opens the program, the same one in every tab.
  public init(tab number: Int) {
    self.init()
  }

  /// Nothing.
  public var problem: String? { nil }
}
