import LoaderPage
import SharingCore
import WasiStorage

/// A program without SharingPage, which a loader of the tests runs: it shows a count, and is called
/// back by C code, out of turn.
@main
final class LoaderProgram {
  @Shared(.localStorage("count")) var count = 0
  @Shared(.localStorage("draft", saving: .debounced(milliseconds: 3_600_000))) var draft = 0
  private var tokens: [ObservationToken] = []
  private var runs: Int32 = 0
  nonisolated(unsafe) private static var running: LoaderProgram?

  static func main() {
    running = LoaderProgram()
    loader_on_click { kind in LoaderProgram.running?.click(kind) }
  }

  init() {
    tokens.append(
      observe { [unowned(unsafe) self] in
        runs += 1
        loader_show_run(runs)
        loader_show(Int32(count))
      })
  }

  private func click(_ kind: Int32) {
    switch kind {
    case 0: $count.update { $0 += 1 }
    case 1: for _ in 0..<2 { $count.update { $0 += 1 } }
    case 2: $draft.withLock { $0 += 1 }
    case 3:
      $count.update { $0 += 1 }
      $count.withLock { _ in $count.withLock { $0 += 1 } }  // nested: it stops
    default: $count.update { $0 -= 1 }
    }
  }
}
