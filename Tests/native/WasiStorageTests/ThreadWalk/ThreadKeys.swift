import Foundation
import SharingCore

/// An external value that answers requests in sequence, on its own thread.
final class AnsweringOutside: @unchecked Sendable {
  private let condition = NSCondition()
  private var requests: [() -> Void] = []
  private var isAnswering = false
  private var hasEnded = false
  private var number = 0

  init() {
    Thread.detachNewThread { [self] in while let next = take() { next() } }
  }

  var stored: Int { condition.withLock { number } }

  func load(_ continuation: LoadContinuation<Int>) {
    add { continuation.resume(returning: self.stored) }
  }

  func save(_ value: Int, _ continuation: SaveContinuation) {
    add {
      self.condition.withLock { self.number = value }
      continuation.resume()
    }
  }

  /// Waits until all requests are answered.
  /// - Returns: Whether they were answered within an ample time.
  func settle() -> Bool {
    condition.withLock {
      let end = Date(timeIntervalSinceNow: 120)
      while isAnswering || !requests.isEmpty {
        guard condition.wait(until: end) else { return false }
      }
      return true
    }
  }

  func end() {
    condition.withLock {
      hasEnded = true
      condition.broadcast()
    }
  }

  private func add(_ request: @escaping () -> Void) {
    condition.withLock {
      requests.append(request)
      condition.broadcast()
    }
  }

  private func take() -> (() -> Void)? {
    condition.withLock {
      isAnswering = false
      condition.broadcast()
      while requests.isEmpty {
        if hasEnded { return nil }
        condition.wait()
      }
      isAnswering = true
      return requests.removeFirst()
    }
  }
}

/// A key over an ``AnsweringOutside``.
struct AnsweringKey: SharedKey {
  let outside: AnsweringOutside

  var id: ObjectIdentifier { ObjectIdentifier(outside) }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    if case .initialValue = context { return continuation.resumeReturningInitialValue() }
    outside.load(continuation)
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    outside.save(value, continuation)
  }
}

/// A store during whose saves another thread changes the value, several times in sequence: the
/// saving thread must save again each time.
final class Relay: @unchecked Sendable {
  private let lock = NSLock()
  private var changesLeft: Int
  private var number = 0
  private(set) var changesMade = 0
  var counter: Shared<Int>?

  init(changes: Int) {
    changesLeft = changes
  }

  var stored: Int { lock.withLock { number } }

  func load(_ continuation: LoadContinuation<Int>) {
    continuation.resume(returning: stored)
  }

  func save(_ value: Int, _ continuation: SaveContinuation) {
    lock.withLock { number = value }
    if takeChange() { _ = runThreads(1) { _ in self.counter?.withLock { $0 += 1 } } }
    continuation.resume()
  }

  private func takeChange() -> Bool {
    lock.withLock {
      guard changesLeft > 0 else { return false }
      changesLeft -= 1
      changesMade += 1
      return true
    }
  }
}

/// A key over a ``Relay``.
struct RelayKey: SharedKey {
  let relay: Relay

  var id: ObjectIdentifier { ObjectIdentifier(relay) }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    relay.load(continuation)
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    relay.save(value, continuation)
  }
}
