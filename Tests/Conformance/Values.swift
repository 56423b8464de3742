import SharingCore
import WasiStorage

/// A value with parts, for the cases.
struct User: JSONCodable, Equatable {
  var name = "Blob"
  var age = 1
  var address = Address()
  var scores: [Int] = []

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("name", &name)
    try json.field("age", &age)
    try json.field("address", &address)
    try json.field("scores", &scores)
  }
}

struct Address: JSONCodable, Equatable {
  var street = "Main"
  var number = 1
  let planet = 3

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("street", &street)
    try json.field("number", &number)
  }
}

/// An element of a list, for the cases.
struct Item: Identifiable, Equatable, Sendable {
  let id: Int
  var title = ""
  var number = 0
  var tags: [Int] = []
}

/// A wrapper that an observer has handed on, and how often.
final class Handed<Element: Sendable>: @unchecked Sendable {
  private(set) var count = 0
  var element: Shared<Element>? { didSet { count += 1 } }
}

/// An external store that answers on demand.
final class Feed: @unchecked Sendable {
  private var continuations: [LoadContinuation<Int>] = []
  var subscriber: SharedSubscriber<Int>?
  private(set) var saved: [Int] = []
  var onSave: () -> Void = {}
  /// The error of the next saves, until it is nil again.
  var saveFailure: StorageError.Reason?

  func load(_ continuation: LoadContinuation<Int>) { continuations.append(continuation) }

  func save(_ value: Int) {
    saved.append(value)
    onSave()
  }

  /// Answers all pending calls.
  func finish(with value: Int) {
    for continuation in taken() { continuation.resume(returning: value) }
  }

  /// Answers all pending calls with an error.
  func fail(with error: StorageError) {
    for continuation in taken() { continuation.resume(throwing: error) }
  }

  /// Drops all pending calls without an answer.
  func dropContinuations() {
    _ = taken()
  }

  private func taken() -> [LoadContinuation<Int>] {
    defer { continuations = [] }
    return continuations
  }
}

/// A key over a ``Feed``.
struct FeedKey: SharedKey {
  let feed: Feed

  var id: ObjectIdentifier { ObjectIdentifier(feed) }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    feed.load(continuation)
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    feed.subscriber = subscriber
    return SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    feed.save(value)
    if let failure = feed.saveFailure {
      return continuation.resume(throwing: StorageError(failure, key: nil, "as the case wants it"))
    }
    continuation.resume()
  }
}

/// A key that stores nothing and sends no changes, for tests of other requirements of a key.
protocol EmptyKey: SharedKey where Value == Int {}

extension EmptyKey {
  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    continuation.resumeReturningInitialValue()
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    continuation.resume()
  }
}

/// A key that resumes its continuation a given number of times, and has a description.
struct CarelessKey: EmptyKey {
  let resumes: Int

  var id: Int { resumes }
  var label: UTF8Text { "my key" }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    for _ in 0..<resumes { continuation.resumeReturningInitialValue() }
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    for _ in 0..<resumes { continuation.resume() }
  }
}

/// A key that follows another shared value.
struct DoubledKey: SharedReaderKey {
  let base: Shared<Int>

  var id: KeyName { KeyName("doubled") }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    continuation.resume(returning: 2 * base.wrappedValue)
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    let token = observe { subscriber.yield(2 * base.wrappedValue) }
    return SharedSubscription { token.cancel() }
  }
}
