import SharingCommits
import SharingCore
import WasiStorage

/// Code of the program that a value over a revision store calls, and that uses the value again.
let commitReentry: [Case] = [
  Case("R7", "the completion of a load may save, reset and load the value") { trial in
    let store = MemoryRevisionStore()
    let count = count(in: store)
    let answers = Log()
    count.withLock { $0 = 2 }
    count.load { _ in count.save { _ in answers.append(1) } }
    count.load { _ in count.load { _ in answers.append(2) } }
    trial.expect(store.text("count") == "2", "it is not stored")
    count.load { _ in count.reset { _ in answers.append(3) } }
    trial.expect(answers.numbers, equals: [1, 2, 3])
    trial.expect(count.wrappedValue, equals: 0)
    trial.expect(store.text("count") == nil, "it is not removed")
  },
  Case("R7", "the completion of a load may change the value in every way") { trial in
    let store = MemoryRevisionStore()
    let count = count(in: store)
    store.store("count", "5")
    count.load { _ in
      count.update { $0 += 1 }
      count.withLock { $0 *= 10 }
    }
    trial.expect(count.wrappedValue, equals: 60)
    trial.expect(store.text("count") == "60", "it is not stored")
    trial.expect(count.isSaving, equals: false)
  },
  Case("R7", "a required value may be saved at once, with the members that its type lacks") {
    trial in
    let store = MemoryRevisionStore()
    store.store("task", newerTask)
    let answers = Log()
    Shared<Task>.require(.revisions("task", in: store)) { result in
      guard let task = try? result.get() else { return }
      task.title.withLock { $0 = "oat milk" }
      task.save { _ in answers.append(1) }
    }
    trial.expect(answers.numbers, equals: [1])
    trial.expect(store.text("task"), contains: "oat milk")
    trial.expect(store.text("task"), contains: #""due":"Friday""#)
  },
  Case("R7", "a save in the completion of a load keeps the members that the type lacks") { trial in
    let store = MemoryRevisionStore()
    let task = Shared(wrappedValue: Task(id: 1), .revisions("task", in: store))
    store.store("task", newerTask)
    task.load { _ in
      task.title.withLock { $0 = "oat milk" }
      task.save()
    }
    trial.expect(store.text("task"), contains: "oat milk")
    trial.expect(store.text("task"), contains: #""due":"Friday""#)
  },
  Case("R7", "a coding may load the value that it decodes") { trial in
    let store = MemoryRevisionStore()
    let coding = ReentrantCoding()
    let count = count(in: store, coding.coding)
    let answers = Log()
    for number in 1...2 {
      coding.onDecode = { count.load { _ in answers.append(number) } }
      store.store("count", "\(number)")
      count.load { _ in answers.append(10 * number) }
      trial.expect(count.wrappedValue, equals: number)
    }
    trial.expect(answers.numbers, equals: [1, 10, 2, 20])
  },
  Case("R7", "a coding may load the value that it encodes") { trial in
    let store = MemoryRevisionStore()
    let coding = ReentrantCoding()
    let count = count(in: store, coding.coding)
    let answers = Log()
    for number in 1...2 {
      coding.onEncode = { count.load { _ in answers.append(number) } }
      count.withLock { $0 = number }
      trial.expect(store.text("count") == "\(number)", "it is not stored")
      trial.expect(count.wrappedValue, equals: number)
    }
    trial.expect(answers.numbers, equals: [1, 2])
  },
  Case("R7", "a key that is built on another one may save each value that it receives") { trial in
    let store = MemoryRevisionStore()
    let key = TwiceKey(base: .revisions("count", in: store))
    let doubled = Shared(wrappedValue: 0, key)
    let other = SharingEnvironment()
    let answers = Log()
    key.received.onValue = { doubled.save { _ in answers.append(doubled.wrappedValue) } }
    other.run { count(in: store).withLock { $0 = 2 } }
    store.store("count", "3")
    doubled.load()
    trial.expect(answers.numbers, equals: [4, 6])
    trial.expect(store.text("count") == "3", "it is not stored")
  },
  Case("R25", "a load in the turn of a change reverts no change of another program") { trial in
    let store = MemoryRevisionStore()
    store.store("tally", #"{"name":"","note":"","count":1}"#)
    let key = RevisionKey<Tally>.revisions("tally", in: store)
    expectMerge(of: Shared(wrappedValue: Tally(), key), in: store, trial)
  },
  Case("R25", "a load through a key that is built on another one reverts none either") { trial in
    let store = MemoryRevisionStore()
    store.store("tally", #"{"name":"","note":"","count":1}"#)
    let key = BuiltKey<RevisionKey<Tally>>(base: .revisions("tally", in: store))
    expectMerge(of: Shared(wrappedValue: Tally(), key), in: store, trial)
  },
  Case("R30", "a value that is made while the former one of its key ends is followed") { trial in
    let store = MemoryRevisionStore()
    let other = SharingEnvironment()
    let next = replaceWhileEnding(PartingKey(base: .revisions("count", in: store)))
    other.run { count(in: store).update { $0 += 1 } }
    trial.expect(next.count?.wrappedValue ?? -1, equals: 1)
  },
  Case("R13", "so is one of a stored key") { trial in
    let next = replaceWhileEnding(PartingKey(base: .localStorage("count")))
    trial.store["count"] = "1"
    trial.store.notify("count")
    trial.expect(next.count?.wrappedValue ?? -1, equals: 1)
  },
]

/// Loads a value in the turn of a change, after a change by another program.
private func expectMerge(of tally: Shared<Tally>, in store: MemoryRevisionStore, _ trial: Trial) {
  batch {
    tally.name.withLock { $0 = "mine" }
    store.store("tally", #"{"name":"","note":"","count":2}"#)
    tally.load()
  }
  trial.expect(tally.wrappedValue == Tally(name: "mine", count: 2), "a change is lost")
  trial.expect(store.text("tally"), contains: #""count":2"#)
  trial.expect(store.text("tally"), contains: "mine")
  trial.expect(tally.loadError == nil && !tally.isSaving, "it is not stored")
}

/// Makes a value, and another one of the same key while the subscription of the first one ends.
private func replaceWhileEnding<Base: SharedKey>(_ key: PartingKey<Base>) -> KeptValue {
  let (former, next) = (KeptValue(), KeptValue())
  let environment = SharingEnvironment.current
  former.count = Shared(wrappedValue: 0, key)
  key.subscriptions.onEnd = {
    key.subscriptions.onEnd = nil
    next.count = environment.run { Shared(wrappedValue: 0, key) }
  }
  former.count = nil
  return next
}

private final class KeptValue: @unchecked Sendable {
  var count: Shared<Int>?
}

private final class Subscriptions: @unchecked Sendable { var onEnd: (() -> Void)? }

/// A key that is built on another one, with an action at the end of a subscription.
private struct PartingKey<Base: SharedKey>: SharedKey where Base.Value == Int {
  let base: Base
  let subscriptions = Subscriptions()

  var id: Base.ID { base.id }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    base.load(context: context, continuation: continuation)
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    let subscription = base.subscribe(context: context, subscriber: subscriber)
    return SharedSubscription {
      self.subscriptions.onEnd?()
      subscription.cancel()
    }
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    base.save(value, context: context, continuation: continuation)
  }
}

/// A task that a newer version of the program has written.
private let newerTask: UTF8Text =
  #"{"id":1,"title":"milk","done":false,"marks":0,"due":"Friday"}"#

private func count(
  in store: MemoryRevisionStore, _ coding: StorageCoding<Int> = .json
) -> Shared<Int> {
  Shared(wrappedValue: 0, .revisions("count", in: store, coding: coding))
}

extension MemoryRevisionStore {
  fileprivate func text(_ key: KeyName) -> UTF8Text? { stored(key).bytes.map { UTF8Text($0) } }

  /// Stores a text as another program, without a report to watchers.
  fileprivate func store(_ key: KeyName, _ text: UTF8Text) {
    let entry = CommitEntry(key: key, expected: nil, bytes: text.bytes)
    _ = answer(to: Commit(client: text, after: 0, through: 1, entries: [entry]))
  }
}

/// A coding of numbers that runs an action of the case at its next use.
private final class ReentrantCoding: @unchecked Sendable {
  var onEncode: (() -> Void)?
  var onDecode: (() -> Void)?

  var coding: StorageCoding<Int> {
    StorageCoding(
      encode: { number in
        let action = self.onEncode
        self.onEncode = nil
        action?()
        return UTF8Text("\(number)").bytes
      },
      decode: { bytes in
        let action = self.onDecode
        self.onDecode = nil
        action?()
        return (try? JSON.decode(from: bytes)) ?? 0
      })
  }
}

/// A key for the double of a number, which receives each value through closures.
private struct TwiceKey: SharedKey {
  let base: RevisionKey<Int>
  let received = Received()

  final class Received: @unchecked Sendable { var onValue: (() -> Void)? }

  var id: KeyID { base.id }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    base.load(
      context: .userInitiated,
      continuation: LoadContinuation { result in
        continuation.resume(with: result.map { $0.map { 2 * $0 } })
        self.received.onValue?()
      })
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    base.subscribe(
      context: .userInitiated,
      subscriber: SharedSubscriber { result in
        subscriber.yield(with: result.map { $0.map { 2 * $0 } })
        self.received.onValue?()
      })
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    base.save(value / 2, context: context, continuation: continuation)
  }
}
