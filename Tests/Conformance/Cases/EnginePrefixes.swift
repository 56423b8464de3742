import RandomSteps
import SharingCommits
import SharingCore
import WasiStorage

extension EngineName {
  fileprivate static let world: EngineName = "world"
}

/// All values of an engine under a prefix, as a dictionary.
let enginePrefixes: [Case] = [
  Case("R13", "all values under a prefix are one dictionary, whose entries come and go") { trial in
    let people = People()
    people.set("ann", 1)
    people.write { Shared(wrappedValue: 0, .engine("score", in: .world)).withLock { $0 = 7 } }
    let here = people.everybody()
    trial.expect(here.wrappedValue == ["ann": 1], "who was there before is missing")
    var counts: [Int] = []
    let token = observe { counts.append(here.wrappedValue.count) }
    people.set("bob", 2)
    trial.expect(here.wrappedValue == ["ann": 1, "bob": 2], "who comes is missing")
    people.set("bob", 3)
    trial.expect(here.wrappedValue["bob"] == 3, "a change is missing")
    people.set("bob", nil)
    trial.expect(here.wrappedValue == ["ann": 1], "who goes is still there")
    token.cancel()
    trial.expect(counts, equals: [1, 2, 2, 1])
    trial.expect(here.loadError == nil && !here.isLoading, "it is complete")
  },
  Case("R13", "a dictionary of a prefix is what its entries are, whatever changes and is read") {
    trial in
    for seed in 1...40 {
      var random = SplitMix64(seed: UInt64(seed))
      let people = People()
      let here = people.everybody()
      var expected: [KeyName: Int] = [:]
      var kept: [[KeyName: Int]] = []
      for step in 0..<60 {
        let name: KeyName = KeyName(bytes: [UInt8(ascii: "a") + UInt8(random.below(6))])
        let value = random.below(4) == 0 ? nil : step
        if random.below(4) == 0 { kept.append(here.wrappedValue) }
        if random.below(12) == 0 { here.load { _ in } }
        if value != nil || expected[name] != nil { people.set(name, value) }
        expected[name] = value
        trial.expect(here.wrappedValue == expected, "seed \(seed), step \(step): it differs")
      }
    }
  },
  Case("R7", "who has loaded a prefix may ask for it again, and a key be made of it") { trial in
    let people = People()
    people.set("ann", 1)
    let here = people.everybody()
    let answers = Log()
    here.load { _ in
      answers.append(1)
      here.load { _ in answers.append(2) }
    }
    trial.expect(answers.numbers, equals: [1, 2])
    let counted = people.count()
    trial.expect(counted.wrappedValue, equals: 1)
    people.set("bob", 2)
    trial.expect(counted.wrappedValue, equals: 2)
  },
  Case("R15", "an entry of a prefix that does not decode is left out, and named") { trial in
    let people = People()
    people.set("ann", 1)
    let here = people.everybody()
    people.write {
      Shared(wrappedValue: "", .engine("people.bob", in: .world)).withLock { $0 = "Bob" }
    }
    trial.expect(here.wrappedValue == ["ann": 1], "the others are not shown")
    trial.expect(here.loadError.map { message(of: $0) }, contains: "people.bob")
    people.set("carl", 3)
    trial.expect(here.wrappedValue == ["ann": 1, "carl": 3], "it does not go on")
    trial.expect(people.everybody().wrappedValue == ["ann": 1, "carl": 3], "the others are lost")
  },
  Case("R29", "a store that lists no keys says so, once it is asked for those of a prefix") {
    trial in
    trial.environment.engines.use(UnlistedStore(), for: .world)
    let here = SharedReader(
      wrappedValue: ["ann": 1], EnginePrefixKey.engine(prefix: "people.", in: .world))
    trial.expect(here.wrappedValue == ["ann": 1], "the default is gone")
    trial.expect(here.loadError.map { reason(of: $0) } == .unavailable, "nobody is told")
    let failures = Log()
    here.load { result in if case .failure = result { failures.append(1) } }
    trial.expect(failures.count, equals: 1)
  },
]

/// The numbers of several people in one store: one program writes them, others read all of them.
private struct People {
  private let store = MemoryRevisionStore()
  private let writer = SharingEnvironment()

  init() {
    writer.engines.use(store, for: .world)
  }

  func write(_ body: () -> Void) { writer.run(body) }

  /// Sets a person's number, or removes it.
  func set(_ name: KeyName, _ number: Int?) {
    writer.run {
      let one = Shared(wrappedValue: 0, .engine("people.\(name)", in: .world))
      if let number { one.withLock { $0 = number } } else { one.reset() }
    }
  }

  /// Returns the number of people, read by a program of its own.
  func count() -> SharedReader<Int> {
    let reader = SharingEnvironment()
    reader.engines.use(store, for: .world)
    return reader.run {
      SharedReader(
        wrappedValue: 0, CountKey(base: .engine(prefix: "people.", in: .world)))
    }
  }

  /// Returns all numbers, read by a program of its own.
  func everybody() -> SharedReader<[KeyName: Int]> {
    let reader = SharingEnvironment()
    reader.engines.use(store, for: .world)
    return reader.run {
      SharedReader(wrappedValue: [:], .engine(prefix: "people.", in: .world))
    }
  }
}

/// A key with a value derived from all values under a prefix: their number.
private struct CountKey: SharedReaderKey {
  let base: EnginePrefixKey<Int>

  var id: KeyName { KeyName("how many") }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    base.load(
      context: .userInitiated,
      continuation: LoadContinuation { result in
        switch result {
        case .success(let entries): continuation.resume(returning: entries?.count ?? 0)
        case .failure(let error): continuation.resume(throwing: error)
        }
      })
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    base.subscribe(
      context: .userInitiated,
      subscriber: SharedSubscriber { result in
        if case .success(let entries) = result { subscriber.yield(entries?.count ?? 0) }
      })
  }
}
