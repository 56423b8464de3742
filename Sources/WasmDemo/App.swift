import SharingCore
import WasiStorage

/// The demo: what it is made of, what can be done to it, and what is wrong with it.
final class App {
  private let page: Page
  private let counter = Counter()
  private let actions: [Action]
  private var tokens: [ObservationToken] = []

  init(on page: Page) {
    self.page = page
    var actions = counter.actions
    actions.append(Action("show") {})  // every run shows the state before it does anything
    self.actions = actions
  }

  /// Shows everything, now and whenever it changes.
  func show() {
    tokens = [
      counter.show(on: page),
      observe { [page, counter] in page.warn(Self.problem(of: counter)) },
    ]
  }

  /// Whether there is an action of that name.
  func knows(_ name: [UInt8]) -> Bool {
    actions.contains { $0.isNamed(name) }
  }

  /// Does the action of that name; nothing where there is none.
  func perform(_ name: [UInt8]) {
    actions.first { $0.isNamed(name) }?.run()
  }

  /// The names of all actions, for messages.
  var actionNames: UTF8Text {
    var names: UTF8Text = ""
    for action in actions { names += names.isEmpty ? "\(action.name)" : ", \(action.name)" }
    return names
  }

  /// Whether everything that was changed has been stored.
  var isSaved: Bool { counter.$count.saveError == nil }

  /// What a person should know: what could not be saved or read, or that values are not kept.
  private static func problem(of counter: Counter) -> UTF8Text {
    let error = counter.$count.saveError ?? counter.$count.loadError
    return error.map(message) ?? SharingEnvironment.current.stores.notice ?? ""
  }
}
