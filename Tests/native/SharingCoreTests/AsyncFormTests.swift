import SharingCore
import Testing

@Suite struct AsyncFormTests {
  @Test func loadWaitsForTheKey() async throws {
    let outside = Outside(value: 3)
    @Shared(OutsideKey(outside: outside)) var count = 0
    #expect(count == 3)
    outside.value = 4
    try await $count.load()
    #expect(count == 4)
  }

  @Test func loadThrowsWhatTheKeyThrowsAndKeepsTheValue() async {
    let outside = Outside(value: 3)
    @Shared(OutsideKey(outside: outside)) var count = 0
    outside.failure = .expected
    await #expect(throws: Refusal.expected) { try await $count.load() }
    #expect($count.loadError as? Refusal == .expected)
    #expect(count == 3)
  }

  @Test func saveWaitsForTheKey() async throws {
    let outside = Outside(value: nil)
    @Shared(OutsideKey(outside: outside)) var count = 5
    try await $count.save()
    #expect(outside.value == 5)
    outside.failure = .expected
    await #expect(throws: Refusal.expected) { try await $count.save() }
    #expect($count.saveError as? Refusal == .expected)
  }

  @Test func aWrapperCanRequireAStoredValue() async throws {
    let outside = Outside(value: 3)
    let count = try await Shared(require: OutsideKey(outside: outside))
    #expect(count.wrappedValue == 3)
    #expect(try await SharedReader(require: OutsideKey(outside: outside)).wrappedValue == 3)
    await #expect(throws: StorageError.self) {
      try await Shared(require: OutsideKey(outside: Outside(value: nil)))
    }
  }

  @Test func loadWithAnotherKeyPointsTheWrapperThere() async throws {
    @Shared(value: 1) var count
    let outside = Outside(value: 8)
    try await $count.load(OutsideKey(outside: outside))
    #expect(count == 8)
    $count.withLock { $0 = 9 }
    #expect(outside.value == 9)
  }
}

private enum Refusal: Error { case expected }

/// The external value of a test's key.
private final class Outside: @unchecked Sendable {
  var value: Int?
  var failure: Refusal?

  init(value: Int?) {
    self.value = value
  }
}

private struct OutsideKey: SharedKey {
  let outside: Outside

  var id: ObjectIdentifier { ObjectIdentifier(outside) }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    if let failure = outside.failure { return continuation.resume(throwing: failure) }
    continuation.resume(with: .success(outside.value))
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    if let failure = outside.failure { return continuation.resume(throwing: failure) }
    outside.value = value
    continuation.resume()
  }
}
