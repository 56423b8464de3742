import Foundation

/// Calls a closure on several threads at once, with the number of each, and waits for their ends.
func onThreads(_ count: Int, _ body: @escaping @Sendable (_ number: Int) -> Void) {
  let start = DispatchSemaphore(value: 0)
  let ends = DispatchSemaphore(value: 0)
  for number in 0..<count {
    let thread = Thread {
      start.wait()
      body(number)
      ends.signal()
    }
    thread.stackSize = 1 << 20
    thread.start()
  }
  for _ in 0..<count { start.signal() }
  for _ in 0..<count { ends.wait() }
}

/// A value with exclusive access for one thread at a time. The thread sanitizer does not support
/// the Linux implementation of `Mutex`.
final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) {
    self.value = value
  }

  func withLock<Output>(_ body: (inout Value) -> Output) -> Output {
    lock.lock()
    defer { lock.unlock() }
    return body(&value)
  }
}
