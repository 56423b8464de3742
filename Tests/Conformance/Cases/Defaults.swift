import SharingCore
import WasiStorage

extension Case {
  static let defaults: [Case] = [
    Case("R1", "a default is not asked for where there is a value") { trial in
      @Shared(.inMemory("count")) var first = 1
      let asked = Log()
      @Shared(.inMemory("count")) var second = asked.noting(2)
      trial.expect(second, equals: 1)
      trial.expect(asked.numbers, equals: [])
    },
    Case("R1", "a default may hold shared values of its own") { trial in
      struct Inner { @Shared(.inMemory("inner")) var number = 7 }
      struct Outer { @Shared(.inMemory("outer")) var inner = Inner() }
      trial.expect(Outer().inner.number, equals: 7)
    },
    Case("R1", "a default outlives the wrapper that gave it") { trial in
      do { @Shared(.size) var size = 5 }
      @Shared(.size) var size
      trial.expect(size, equals: 5)
    },
    Case("R1", "a key's own default wins when it comes first, and only then") { trial in
      @Shared(.size) var first
      @Shared(.size) var second = 5
      trial.expect(first, equals: 3)
      trial.expect(second, equals: 3)
      SharingEnvironment().run {
        @SharedReader(.size) var first = 5
        @Shared(.size) var second
        @SharedReader(.size) var third
        trial.expect(first, equals: 5)
        trial.expect(second, equals: 5)
        trial.expect(third, equals: 5)
      }
    },
    Case("R1", "keys that differ in their defaults only share, whoever writes and whoever reads") {
      trial in
      @SharedReader(.otherSize) var reader
      @Shared(.size) var size
      $size.withLock { $0 += 1 }
      trial.expect(size, equals: 5)
      trial.expect(reader, equals: 5)
    },
    Case("R1", "a key's own default is not evaluated while something is stored, and then once") {
      trial in
      let asked = Log()
      trial.store["count"] = "5"
      @Shared(LocalStorageKey.Default[.localStorage("count"), default: asked.noting(2)]) var count
      @SharedReader(LocalStorageKey.Default[.localStorage("count"), default: asked.noting(3)])
      var reader
      $count.withLock { $0 += 1 }
      trial.expect(reader, equals: 6)
      trial.expect(asked.numbers, equals: [])
      for _ in 1...2 {
        $count.reset()
        trial.expect(reader, equals: 2)
        $count.withLock { $0 = 7 }
      }
      trial.expect(asked.numbers, equals: [2])
    },
    Case("R1", "a key's own default is shown where nothing is ever loaded") { trial in
      let asked = Log()
      @Shared(InMemoryKey.Default[.inMemory("list"), default: [asked.noting(1)]]) var list
      trial.expect(list, equals: [1])
      $list.withLock { $0.append(2) }
      trial.expect(list, equals: [1, 2])
      @Shared(InMemoryKey.Default[.inMemory("list"), default: asked.noting(3)]) var number
      trial.expect(number, equals: 3)
      $number.withLock { $0 += 1 }
      trial.expect(number, equals: 4)
      trial.expect(asked.numbers, equals: [1, 3])
      trial.expect(trial.issues.count, equals: 1)
    },
    Case("R1", "a key's own default is evaluated where there is nothing to show, and then once") {
      trial in
      let asked = Log()
      @SharedReader(LocalStorageKey.Default[.localStorage("count"), default: asked.noting(1)])
      var missing
      trial.expect(missing, equals: 1)
      trial.store["text"] = "corrupt"
      @Shared(LocalStorageKey.Default[.localStorage("text"), default: asked.noting(2)]) var corrupt
      trial.expect(corrupt, equals: 2)
      let feed = Feed()
      @Shared(FeedKey.Default[FeedKey(feed: feed), default: asked.noting(3)]) var late
      trial.expect(late, equals: 3)
      feed.finish(with: 9)
      trial.expect(late, equals: 9)
      trial.expect(asked.numbers, equals: [1, 2, 3])
    },
    Case("R1", "a key's own default is evaluated for whoever asks while the value is being loaded")
    { trial in
      let asked = Log()
      trial.store["count"] = "5"
      let coding = StorageCoding<Int>(
        encode: { _ in nil },
        decode: { _ in
          let coding = StorageCoding<Int>(encode: { _ in nil }, decode: { _ in 4 })
          @SharedReader(
            LocalStorageKey.Default[.localStorage("count", coding: coding), default: 3])
          var same
          asked.append(same)
          return 4
        })
      @Shared(
        LocalStorageKey.Default[.localStorage("count", coding: coding), default: asked.noting(2)])
      var count
      trial.expect(count, equals: 4)
      trial.expect(asked.numbers, equals: [2, 2])
    },
    Case("R8", "an observer does not come to depend on what a key's own default reads") { trial in
      @Shared(value: 1) var first
      let (shared, runs) = ($first, Log())
      let token = observe {
        let key = LocalStorageKey.Default[.localStorage("count"), default: shared.wrappedValue]
        runs.append(Shared(key).wrappedValue)
      }
      $first.withLock { $0 = 2 }
      trial.expect(runs.numbers, equals: [1])
      token.cancel()
    },
    Case("R2", "a wrapper without a key has the value that it is given") { trial in
      @SharedReader(value: 5) var reader
      $reader = SharedReader(wrappedValue: 1, .inMemory("count"))
      trial.expect(reader, equals: 1)
    },
  ]
}

extension Log {
  /// Records a number, and returns it.
  fileprivate func noting(_ number: Int) -> Int {
    append(number)
    return number
  }
}

extension SharedReaderKey where Self == InMemoryKey<Int>.Default {
  fileprivate static var size: Self { Self[.inMemory("size"), default: 3] }
  fileprivate static var otherSize: Self { Self[.inMemory("size"), default: 4] }
}
