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
/// clock, no random numbers, and no static state.
public protocol SimulatedTab: SendableMetatype {
  /// Opens the program: makes its wrappers and observers.
  init()

  /// Opens the program in a tab, for tabs that differ, such as an older and a newer version.
  ///
  /// The default calls ``init()``. At the end, another tab 0 reads the stored values.
  /// - Parameter number: The tab's number, from 0.
  init(tab number: Int)

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
  /// Opens the same program in every tab.
  public init(tab number: Int) {
    self.init()
  }

  /// Nil.
  public var problem: String? { nil }
}
