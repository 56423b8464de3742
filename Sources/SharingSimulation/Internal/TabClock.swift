import WasiStorage

/// The clock of one tab, which knows whether anything waits.
final class TabClock: SaveClock, @unchecked Sendable {
  private let clock = ManualClock()
  private var waiting: [Int: @Sendable () -> Void] = [:]
  private var lastNumber = 0

  /// Whether nothing waits.
  var isIdle: Bool { waiting.isEmpty }

  func call(after milliseconds: Int, _ action: @escaping @Sendable () -> Void) -> Bool {
    lastNumber += 1
    let number = lastNumber
    waiting[number] = action
    return clock.call(after: milliseconds) { [weak self] in
      self?.waiting.removeValue(forKey: number)?()
    }
  }

  func callAll() {
    clock.callAll()
  }

  func advance(by milliseconds: Int) {
    clock.advance(by: milliseconds)
  }

  /// The tab is gone: nothing that waits is called any more.
  func forgetAll() {
    waiting = [:]
  }
}
