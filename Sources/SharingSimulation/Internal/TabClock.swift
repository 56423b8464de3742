import WasiStorage

/// The clock of one tab, which knows whether anything waits.
final class TabClock: SaveClock, @unchecked Sendable {
  private let clock = ManualClock()
  private var waiting = 0

  /// Whether nothing waits.
  var isIdle: Bool { waiting == 0 }

  func call(after milliseconds: Int, _ action: @escaping @Sendable () -> Void) -> Bool {
    waiting += 1
    return clock.call(after: milliseconds) {
      self.waiting -= 1
      action()
    }
  }

  func callAll() {
    clock.callAll()
  }

  func advance(by milliseconds: Int) {
    clock.advance(by: milliseconds)
  }
}
