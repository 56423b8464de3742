import SharingCore

// Orders of a user's key's answers that the exploration of the machine of loading and saving found.
extension Case {
  static let lateAnswers: [Case] = [
    Case("R13", "a value that a key yields during a late save does not hide the change") { trial in
      let source = LateSource()
      @Shared(LateSourceKey(source: source)) var value = 0
      source.answerLoad(with: nil)
      source.savesLate = true
      $value.withLock { $0 = 1 }
      source.stored = 101  // another program, before the store performs the save
      source.subscriber?.yield(101)
      source.answerSaves()
      source.answerLoads()
      trial.expect(value, equals: 1)
      trial.expect(source.stored ?? 0, equals: 1)
    },
    Case("R13", "a refresh during a late save does not hide the change") { trial in
      let source = LateSource()
      @Shared(LateSourceKey(source: source)) var value = 0
      source.answerLoad(with: nil)
      source.savesLate = true
      $value.withLock { $0 += 10 }
      source.stored = 100
      $value.withLock { $0 += 1 }
      source.answerSaves()
      source.answerLoads()
      trial.expect(value, equals: 11)
      trial.expect(source.stored ?? 0, equals: 11)
    },
    Case("R13", "the value of an outdated load is loaded again") { trial in
      let source = LateSource()
      @Shared(LateSourceKey(source: source)) var value = 0
      $value.withLock { $0 = 1 }  // the first load has no answer yet
      source.stored = 101
      source.answerLoad(with: 101)
      source.answerLoads()
      trial.expect(value, equals: 101)
    },
    Case("R13", "a load that a yielded value outdates is loaded again") { trial in
      let source = LateSource()
      @Shared(LateSourceKey(source: source)) var value = 0
      source.stored = 101
      source.subscriber?.refresh()
      source.stored = 102
      source.answerLoad(with: 102)
      source.answerLoads()
      trial.expect(value, equals: 102)
    },
    Case("R13", "a load that was asked for during a save shows a newer value") { trial in
      let source = LateSource()
      @Shared(LateSourceKey(source: source)) var value = 0
      source.answerLoad(with: nil)
      (source.savesLate, source.refreshes) = (true, false)
      $value.withLock { $0 = 1 }
      $value.load()
      source.answerSaves()
      source.stored = 101
      source.answerLoad(with: 101)
      source.answerLoads()
      trial.expect(value, equals: 101)
    },
    Case("R13", "of three loads that overlap, the last answer is shown") { trial in
      let source = LateSource()
      source.refreshes = false
      @Shared(LateSourceKey(source: source)) var value = 0
      $value.load()
      source.answerLoad(with: 1)
      $value.load()
      source.answerLoad(with: 2)
      source.stored = 3
      source.answerLoad(with: 3)
      trial.expect(value, equals: 3)
    },
    Case("R13", "a save without a change outdates a load that began before it") { trial in
      let source = LateSource()
      source.refreshes = false
      @Shared(LateSourceKey(source: source)) var value = 0
      source.stored = 101  // the load under way has read it
      $value.save()
      source.answerLoad(with: 101)
      source.answerLoads()
      trial.expect(value, equals: source.stored ?? 0)
    },
    Case("R14", "a yielded removal outdates a load that began before it") { trial in
      let source = LateSource()
      source.refreshes = false
      @Shared(LateSourceKey(source: source)) var value = 0
      // Another program has removed the 101 that the load has read.
      source.subscriber?.yieldReturningInitialValue()
      source.answerLoad(with: 101)
      source.answerLoads()
      trial.expect(value, equals: 0)
    },
    Case("R15", "a loss is reported also if the refresh yields twice") { trial in
      let source = LateSource()
      @Shared(LateSourceKey(source: source)) var value = 0
      source.answerLoad(with: nil)
      source.refuses = true
      $value.withLock { $0 = 1 }
      source.refuses = false
      source.onRefresh = {
        $0.yield(101)
        $0.yield(102)
      }
      $value.withLock { $0 += 1 }
      source.onRefresh = nil
      trial.expect(value, equals: 103)
      trial.expect(isReplaced($value.loadError), "the loss is not reported")
    },
    Case("R15", "a loss is reported also if a load is answered in its turn") { trial in
      let source = LateSource()
      @Shared(LateSourceKey(source: source)) var value = 0
      source.answerLoad(with: nil)
      source.refuses = true
      $value.withLock { $0 = 1 }
      source.refuses = false
      $value.load()
      batch {
        source.stored = 101
        source.subscriber?.refresh()
        source.answerLoad(with: 101)
      }
      trial.expect(value, equals: 101)
      trial.expect(isReplaced($value.loadError), "the loss is not reported")
    },
    Case("R15", "a refused reset is not lost if another program removes the item") { trial in
      let source = LateSource()
      @Shared(LateSourceKey(source: source)) var value = 0
      source.stored = 5
      source.answerLoad(with: 5)
      source.refuses = true
      $value.reset()
      trial.expect($value.saveError != nil, "the reset is not refused")
      source.refuses = false
      source.stored = nil
      source.subscriber?.refresh()
      trial.expect(value, equals: 0)
      trial.expect($value.loadError == nil && $value.saveError == nil, "an error is reported")
    },
  ]
}

private func isReplaced(_ error: AnyError?) -> Bool {
  error.map { StorageError.from($0, otherwise: .other).reason == .replaced } ?? false
}

/// A store of one number that answers when a case says so.
private final class LateSource: @unchecked Sendable {
  var stored: Int?
  /// The value that the key has last loaded, yielded or stored.
  var known: Int?
  var loads: [LoadContinuation<Int>] = []
  var saves: [(value: Int?, continuation: SaveContinuation)] = []
  var savesLate = false
  var refuses = false
  var subscriber: SharedSubscriber<Int>?
  /// Whether the key implements `refresh`.
  var refreshes = true
  var onRefresh: ((SharedSubscriber<Int>) -> Void)?

  func answerLoad(with value: Int?) {
    known = value
    loads.removeFirst().resume(with: .success(value))
  }

  /// Answers all loads with the stored value, also those that an answer begins.
  func answerLoads() {
    for _ in 0..<9 where !loads.isEmpty { answerLoad(with: stored) }
  }

  func save(_ value: Int?, _ continuation: SaveContinuation) {
    if savesLate { return saves.append((value, continuation)) }
    if refuses { return continuation.resume(throwing: StorageError(.denied, key: nil, "denied")) }
    (stored, known) = (value, value)
    continuation.resume()
  }

  func answerSaves() {
    while !saves.isEmpty {
      let (value, continuation) = saves.removeFirst()
      (stored, known) = (value, value)
      continuation.resume()
    }
  }
}

private struct LateSourceKey: SharedKey {
  let source: LateSource

  var id: ObjectIdentifier { ObjectIdentifier(source) }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    source.loads.append(continuation)
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    source.subscriber = subscriber
    return SharedSubscription {}
  }

  func refresh(_ subscriber: SharedSubscriber<Int>) {
    if let onRefresh = source.onRefresh { return onRefresh(subscriber) }
    guard source.refreshes, source.stored != source.known else { return }
    source.known = source.stored
    subscriber.yield(with: .success(source.stored))
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    source.save(value, continuation)
  }

  func reset(to initialValue: Int, continuation: SaveContinuation) {
    source.save(nil, continuation)
  }
}
