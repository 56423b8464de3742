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

  var isSaved: Bool { counter.$count.saveError == nil }

  /// Nothing that is stored decides what can be done.
  static func copyOfStored() -> MemoryStore { MemoryStore() }

  private static func problem(of counter: Counter) -> UTF8Text {
    let error = counter.$count.saveError ?? counter.$count.loadError
    return error.map { message(of: $0) } ?? SharingEnvironment.current.stores.notice ?? ""
  }
}
