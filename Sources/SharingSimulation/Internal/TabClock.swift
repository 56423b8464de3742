import WasiStorage

/// The clock of one tab, which can forget what waits.
final class TabClock: SaveClock, @unchecked Sendable {
  private let clock = ManualClock()
  private var waiting: [Int: @Sendable () -> Void] = [:]
  private var lastNumber = 0

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
