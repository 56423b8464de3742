import SharingCore
import WasiStorage

/// The counter and nothing else, to see what a program costs that has only a number: all files beside
/// this one are those of the demo.
final class App {
  private let page: Page
  private let counter = Counter()
  private var tokens: [ObservationToken] = []
  let actions: [Action]

  init(on page: Page) {
    self.page = page
    actions = counter.actions + [Action("show") {}]
  }

  func show() {
    tokens = [
      counter.show(on: page),
      observe { [page, counter] in page.warn(Self.problem(of: counter)) },
    ]
  }

  func action(_ name: [UInt8]) -> Action? {
    actions.first { $0.isNamed(name) }
  }

  var usage: UTF8Text {
    var usage: UTF8Text = ""
    for action in actions { usage += usage.isEmpty ? action.usage : ", \(action.usage)" }
    return usage
  }

  var isSaved: Bool { counter.$count.saveError == nil }

  /// Nothing that is stored decides what can be done.
  static func copyOfStored() -> MemoryStore { MemoryStore() }

  private static func problem(of counter: Counter) -> UTF8Text {
    let error = counter.$count.saveError ?? counter.$count.loadError
    return error.map { message(of: $0) } ?? SharingEnvironment.current.stores.notice ?? ""
  }
}
