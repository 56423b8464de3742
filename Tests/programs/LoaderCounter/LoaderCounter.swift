import LoaderPage
import SharingCore
import WasiStorage

/// The counter of the article "With a loader of your own": a program without SharingPage.
@main
final class LoaderCounter {
  @Shared(.localStorage("count")) var count = 0
  private var token: ObservationToken?
  nonisolated(unsafe) private static var running: LoaderCounter?

  static func main() {
    running = LoaderCounter()
    loader_on_click { _ in LoaderCounter.running?.increment() }
  }

  init() {
    token = observe { [unowned(unsafe) self] in loader_show(Int32(count)) }
  }

  private func increment() { $count.update { $0 += 1 } }
}
