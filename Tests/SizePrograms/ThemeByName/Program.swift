import CHost
import SharingCore
import WasiStorage

/// A program with one enum under two keys, for `./build.sh size`. As a command it does nothing.
@main
struct Program {
  static func main() {}
}

nonisolated(unsafe) private var settings: Settings?

struct Settings {
  @Shared(.localStorage("theme")) var theme = Theme.light
  @Shared(.appStorage("last")) var last: Theme?
}

/// Shows the theme, now and whenever it changes.
@_expose(wasm, "sharing_start")
@c(sharing_start)
public func start() {
  let made = Settings()
  settings = made
  _ = Unmanaged.passRetained(
    observe {
      let name: StaticString = made.theme == .dark ? "dark" : "light"
      _ = sharing_page_set(name.utf8Start, Int32(name.utf8CodeUnitCount), nil, 0)
    })
}

/// Changes the theme.
@_expose(wasm, "sharing_page_event")
@c(sharing_page_event)
public func pageEvent(_ nameByteCount: Int32, _ valueByteCount: Int32) {
  guard let settings else { return }
  batch {
    settings.$last.withLock { $0 = settings.theme }
    settings.$theme.withLock { $0 = $0 == .dark ? .light : .dark }
  }
}
