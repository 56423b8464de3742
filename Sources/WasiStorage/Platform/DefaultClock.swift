// The host's timers: the page's, natively those of Dispatch.
#if hasFeature(Embedded) || os(WASI)
  extension HostStores {
    static func clock() -> any SaveClock { BrowserClock.shared }
  }
#else
  import Foundation
  import SharingCore

  extension HostStores {
    static func clock() -> any SaveClock { DispatchClock() }
  }

  /// The clocks of all environments. The program ends when their pending actions have been called.
  private final class DispatchClocks: @unchecked Sendable {
    static let shared = DispatchClocks()

    private let lock = Lock()
    private var clocks: [WeakClock] = []

    private struct WeakClock {
      weak var clock: DispatchClock?
    }

    private init() {
      atexit { DispatchClocks.shared.callAll() }
    }

    func add(_ clock: DispatchClock) {
      lock.withLock {
        clocks.removeAll { $0.clock == nil }
        clocks.append(WeakClock(clock: clock))
      }
    }

    private func callAll() {
      for entry in lock.withLock({ clocks }) { entry.clock?.callAll() }
    }
  }

  /// The machine's time, for one environment.
  private final class DispatchClock: SaveClock, @unchecked Sendable {
    private let queue = DispatchQueue(label: "sharing.saves")
    private let isOnQueue = DispatchSpecificKey<Bool>()
    /// Left when the action that a timer has called has written.
    private let calls = DispatchGroup()
    private let lock = Lock()
    private var waiting: [Int: @Sendable () -> Void] = [:]
    private var lastNumber = 0

    init() {
      queue.setSpecific(key: isOnQueue, value: true)
      DispatchClocks.shared.add(self)
    }

    func call(after milliseconds: Int, _ action: @escaping @Sendable () -> Void) -> Bool {
      let number = lock.withLock {
        lastNumber += 1
        waiting[lastNumber] = action
        return lastNumber
      }
      queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { self.fire(number) }
      return true
    }

    func callAll() {
      let actions = lock.withLock {
        defer { waiting = [:] }
        return waiting
      }
      for number in actions.keys.sorted() { actions[number]?() }
      // Waits until the action that a timer has called has written. Not from that action.
      if DispatchQueue.getSpecific(key: isOnQueue) == nil { calls.wait() }
    }

    private func fire(_ number: Int) {
      let action = lock.withLock {
        let action = waiting.removeValue(forKey: number)
        if action != nil { calls.enter() }
        return action
      }
      guard let action else { return }
      // Observers run behind that, at the end of the batch: one may need a lock of the thread that
      // waits.
      batch {
        action()
        calls.leave()
      }
    }
  }
#endif
