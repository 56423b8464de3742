import SharingCore
import Testing

/// An actor's observers have run before an asynchronous form returns there.
@MainActor @Suite struct AsyncActorTests {
  @Test(arguments: [false, true]) func observersHaveRunWhenALoadReturns(later: Bool) async throws {
    let outside = Elsewhere(value: 1729, isLate: later)
    @Shared(value: 1) var count
    let (seen, published) = (Seen(), Seen())
    let tokens = [
      observe { seen.values.append(count) }, $count.publisher.sink { published.values.append($0) },
    ]
    try await $count.load(ElsewhereKey(outside: outside))
    #expect(seen.values.last == 1729)
    #expect(published.values == [1, 1729])
    outside.value = 1730
    try await $count.load()
    #expect(seen.values.last == 1730)
    for token in tokens { token.cancel() }
  }

  @Test(arguments: [false, true]) func observersHaveRunWhenASaveReturns(later: Bool) async throws {
    let outside = Elsewhere(value: nil, isLate: later)
    @Shared(ElsewhereKey(outside: outside)) var count = 1
    let seen = Seen()
    let token = observe { seen.values.append($count.isSaving ? 1 : 0) }
    try await $count.save()
    #expect(seen.values.last == 0)
    #expect(outside.value == 1)
    token.cancel()
  }

  @Test(arguments: [false, true]) func observersHaveRunWhenAReaderIsLoaded(later: Bool) async throws
  {
    let outside = Elsewhere(value: 5, isLate: later)
    @SharedReader(value: 1) var count
    let seen = Seen()
    let token = observe { seen.values.append(count) }
    try await $count.load(ElsewhereKey(outside: outside))
    #expect(seen.values.last == 5)
    token.cancel()
  }

  @Test(arguments: [false, true]) func aRequiredValueComesOnTheActor(later: Bool) async throws {
    let outside = Elsewhere(value: 3, isLate: later)
    @Shared(ElsewhereKey(outside: outside)) var count = 0
    let seen = Seen()
    let token = observe { seen.values.append(count) }
    outside.value = 4
    let required = try await Shared(require: ElsewhereKey(outside: outside))
    #expect(required.wrappedValue == 4)
    #expect(seen.values.last == 4)
    token.cancel()
  }
}

@MainActor private final class Seen {
  var values: [Int] = []
}

/// An external value of a key, which may answer on another thread.
private final class Elsewhere: @unchecked Sendable {
  var value: Int?
  let isLate: Bool

  init(value: Int?, isLate: Bool) {
    (self.value, self.isLate) = (value, isLate)
  }

  func answer(_ body: @escaping @Sendable () -> Void) {
    if isLate { Task.detached { body() } } else { body() }
  }
}

private struct ElsewhereKey: SharedKey {
  let outside: Elsewhere

  var id: ObjectIdentifier { ObjectIdentifier(outside) }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    let outside = outside
    outside.answer { continuation.resume(with: .success(outside.value)) }
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    let outside = outside
    outside.answer {
      outside.value = value
      continuation.resume()
    }
  }
}
