import SharingCore
import WasiStorage

extension Case {
  static let loading: [Case] = [
    Case("R10", "a key that answers later is loading until then") { trial in
      let feed = Feed()
      @SharedReader(FeedKey(feed: feed)) var value = 0
      let states = Log()
      let token = observe { states.append($value.isLoading ? 1 : 0) }
      trial.expect(value, equals: 0)
      feed.finish(with: 42)
      trial.expect(value, equals: 42)
      trial.expect(states.numbers, equals: [1, 0])
      token.cancel()
    },
    Case("R10", "who observes loading hears of each load that begins and that ends") { trial in
      let feed = Feed()
      @Shared(FeedKey(feed: feed)) var value = 0
      let states = Log()
      let token = observe { states.append($value.isLoading ? 1 : 0) }
      feed.finish(with: 1)
      $value.load()
      trial.expect(states.numbers, equals: [1, 0, 1])
      feed.finish(with: 2)
      trial.expect(states.numbers, equals: [1, 0, 1, 0])
      trial.expect(value, equals: 2)
      token.cancel()
    },
    Case("R10", "who reads a value and how saving it went runs once for both") { trial in
      let feed = Feed()
      @Shared(FeedKey(feed: feed)) var value = 0
      feed.finish(with: 1)
      let seen = Log()
      let token = observe { seen.append(10 * value + ($value.saveError == nil ? 0 : 1)) }
      feed.saveFailure = .quotaExceeded
      $value.withLock { $0 = 2 }
      feed.saveFailure = nil
      $value.withLock { $0 = 3 }
      trial.expect(seen.numbers, equals: [10, 21, 30])
      token.cancel()
    },
    Case("R10", "a value without a key is never loading, and has no errors") { trial in
      let count = Shared(value: 1)
      trial.expect(count.isLoading, equals: false)
      trial.expect(count.reader.isLoading, equals: false)
      trial.expect(count.loadError == nil && count.saveError == nil, "there is an error")
    },
    Case("R10", "a value that was required has been loaded") { trial in
      trial.store["count"] = "4"
      let states = Log()
      Shared<Int>.require(.localStorage("count")) { result in
        guard let count = try? result.get() else { return }
        states.append(count.isLoading ? 1 : 0)
        trial.expect(count.loadError == nil && count.saveError == nil, "there is an error")
      }
      trial.expect(states.numbers, equals: [0])
    },
    Case("R10", "a wrapper that is pointed at another key is loading again") { trial in
      let feeds = [Feed(), Feed()]
      @SharedReader(FeedKey(feed: feeds[0])) var value = 0
      feeds[0].finish(with: 42)
      $value = SharedReader(wrappedValue: 1, FeedKey(feed: feeds[1]))
      trial.expect($value.isLoading, equals: true)
      trial.expect(value, equals: 1)
      feeds[1].finish(with: 43)
      trial.expect($value.isLoading, equals: false)
      trial.expect(value, equals: 43)
    },
    Case("R2", "while another key is loaded, the old value shows") { trial in
      let feed = Feed()
      @Shared(value: 5) var value
      @SharedReader(value: 6) var reader
      let answers = Log()
      $value.load(FeedKey(feed: feed)) { _ in answers.append(1) }
      trial.expect(value, equals: 5)
      trial.expect($value.isLoading, equals: true)
      $reader.load(FeedKey(feed: feed)) { _ in answers.append(2) }
      feed.finish(with: 42)
      trial.expect(value, equals: 42)
      trial.expect(reader, equals: 42)
      trial.expect(answers.numbers.sorted(), equals: [1, 2])
    },
    Case("R2", "a reader loads and requires a writable key by its name") { trial in
      trial.store["hits"] = "4"
      @SharedReader(value: 6) var reader
      $reader.load(.hits)
      trial.expect(reader, equals: 4)
      let required = Log()
      SharedReader<Int>.require(.hits) { required.append((try? $0.get().wrappedValue) ?? 0) }
      trial.expect(required.numbers, equals: [4])
    },
    Case("R2", "a key that holds nothing keeps the old value when it is loaded") { trial in
      @Shared(.localStorage("first")) var count = 0
      let seen = Log()
      let token = $count.publisher.sink { seen.append($0) }
      $count.withLock { $0 = 42 }
      $count.load(.localStorage("second"))
      trial.expect(count, equals: 42)
      $count.withLock { $0 = 1729 }
      trial.expect(seen.numbers, equals: [0, 42, 1729])
      trial.expect(trial.store["first"], equals: "42")
      trial.expect(trial.store["second"], equals: "1729")
      token.cancel()
    },
    Case("R10", "errors of loading, of saving and of the feed are kept until the next success") {
      trial in
      let feed = Feed()
      @Shared(FeedKey(feed: feed)) var value = 0
      feed.fail(with: StorageError(.denied, key: nil, "as the case wants it"))
      trial.expect($value.loadError.map { reason(of: $0) } == .denied, "no error of loading")
      trial.expect($value.isLoading, equals: false)
      trial.expect(value, equals: 0)
      feed.subscriber?.yield(3)
      trial.expect($value.loadError == nil, "the error of loading stays")
      feed.subscriber?.yield(throwing: StorageError(.other, key: nil, "as the case wants it"))
      trial.expect($value.loadError.map { reason(of: $0) } == .other, "no error of the feed")
      trial.expect(value, equals: 3)
      $value.load()
      feed.finish(with: 4)
      trial.expect($value.loadError == nil, "the error of the feed stays")
      feed.saveFailure = .quotaExceeded
      $value.withLock { $0 = 5 }
      trial.expect($value.saveError.map { reason(of: $0) } == .quotaExceeded, "no error of saving")
      feed.saveFailure = nil
      $value.save()
      trial.expect($value.saveError == nil, "the error of saving stays")
    },
    Case("R10", "a feed may say that it is loading") { trial in
      let feed = Feed()
      @SharedReader(FeedKey(feed: feed)) var value = 0
      feed.finish(with: 1)
      feed.subscriber?.yieldLoading()
      trial.expect($value.isLoading, equals: true)
      feed.subscriber?.yieldLoading(false)
      trial.expect($value.isLoading, equals: false)
    },
    Case("R7", "a continuation that a key drops is reported, and nobody waits") { trial in
      let feed = Feed()
      @Shared(FeedKey(feed: feed)) var value = 0
      let answers = Log()
      $value.load { _ in answers.append(1) }
      feed.dropContinuations()
      trial.expect(answers.numbers, equals: [1])
      trial.expect($value.isLoading, equals: false)
      trial.expect(trial.issues.count, equals: 2)
      trial.expect(trial.lastIssue, contains: "was dropped before it was resumed")
    },
    Case("R7", "a continuation that is resumed twice is reported, and the first result stands") {
      trial in
      let results = Log()
      let continuation = LoadContinuation<Int>("my key") { result in
        results.append((try? result.get()) ?? nil ?? -1)
      }
      continuation.resume(returning: 1)
      continuation.resume(returning: 2)
      trial.expect(results.numbers, equals: [1])
      trial.expect(trial.lastIssue, contains: "my key was resumed a second time")
    },
    Case("R7", "what is said of a continuation names the key, of loading and of saving") { trial in
      let drops = CarelessKey(resumes: 0)
      @Shared(drops) var count = 0
      trial.expect(trial.lastIssue, contains: "The continuation of my key was dropped")
      $count.withLock { $0 = 1 }
      trial.expect(trial.issues.count, equals: 2)
      trial.expect(trial.lastIssue, contains: "The continuation of my key was dropped")
      $count.load()
      trial.expect(trial.issues.count, equals: 3)
      @Shared(CarelessKey(resumes: 2)) var other = 0
      trial.expect(trial.issues.count, equals: 4)
      trial.expect(trial.lastIssue, contains: "was resumed a second time")
      $other.withLock { $0 = 1 }
      trial.expect(trial.issues.count, equals: 5)
      trial.expect(trial.lastIssue, contains: "was resumed a second time")
    },
    Case("R1", "a key of a store is called by its name") { trial in
      let key: LocalStorageKey<Int> = .localStorage("count")
      trial.expect(key.label, contains: "\"count\"")
      trial.expect(LocalStorageKey<Int>.Default[key, default: 1].label, contains: "\"count\"")
    },
    Case("R2", "a wrapper pointed elsewhere leaves the old key to who else holds it") { trial in
      @Shared(.localStorage("first")) var other = 0
      @Shared(.localStorage("first")) var value = 0
      let seen = Log()
      let token = $value.publisher.sink { seen.append($0) }
      $value.withLock { $0 = 42 }
      $value = Shared(wrappedValue: 0, .localStorage("second"))
      $value.withLock { $0 = 1729 }
      $other.withLock { $0 = 123 }
      trial.store["second"] = "456"
      trial.store.notify("second")
      $value = Shared(wrappedValue: 0, .localStorage("third"))
      $other.withLock { $0 = 456 }
      $value.withLock { $0 = 789 }
      trial.expect(seen.numbers, equals: [0, 42, 0, 1729, 456, 0, 789])
      trial.expect(other, equals: 456)
      token.cancel()
    },
    Case("R2", "a wrapper pointed at its own key goes on as before") { trial in
      @Shared(.inMemory("count")) var value = 0
      let seen = Log()
      let token = $value.publisher.sink { seen.append($0) }
      $value.withLock { $0 = 42 }
      $value = Shared(wrappedValue: 0, .inMemory("count"))
      $value.withLock { $0 = 1729 }
      trial.expect(seen.numbers, equals: [0, 42, 1729])
      token.cancel()
    },
    Case("R8", "who comes late is told the newest value at once") { trial in
      @Shared(value: 0) var count
      for _ in 1...3 { $count.withLock { $0 += 1 } }
      let seen = Log()
      let token = $count.publisher.sink { seen.append($0) }
      trial.expect(seen.numbers, equals: [3])
      token.cancel()
    },
  ]
}

extension SharedKey where Self == LocalStorageKey<Int> {
  fileprivate static var hits: Self { .localStorage("hits") }
}
