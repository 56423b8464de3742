import SharingTestDoubles
import WasiStorage

/// The clock of one tab, which can cancel all its calls.
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

  /// Cancels all waiting calls when the tab ends.
  func forgetAll() {
    waiting = [:]
  }
}
