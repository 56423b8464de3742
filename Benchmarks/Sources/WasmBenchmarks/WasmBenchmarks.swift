import SharingPage

/// Does nothing as a command: a host calls its exports.
@main
struct WasmBenchmarks: PageApp, CommandApp {
  /// The page, if there is one.
  nonisolated(unsafe) static var page: Page?

  func start(on page: Page) { Self.page = page }

  static func command(_ words: [[UInt8]]) -> Int32 { 0 }
}
