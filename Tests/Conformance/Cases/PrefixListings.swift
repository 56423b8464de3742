import SharingCommits
import SharingCore
import WasiStorage

extension EngineName {
  fileprivate static let world: EngineName = "world"
}

/// The begin and the end of a prefix listing.
let prefixListings: [Case] = [
  Case("R8", "a listing of a prefix ends with its readers, also before all is told") { trial in
    let store = ScriptedListings()
    do {
      let here = store.everybody()
      trial.expect(store.openCount, equals: 1)
      store.notify(0, .all([ann]))
      trial.expect(here.wrappedValue == ["ann": 1], "who is there is missing")
    }
    trial.expect(store.openCount, equals: 0)
    _ = store.everybody()
    trial.expect(store.openCount, equals: 0)
    let here = store.everybody()
    trial.expect(store.count, equals: 3)
    trial.expect(store.openCount, equals: 1)
    for late in 0...1 { store.notify(late, .changed([bob])) }
    trial.expect(here.isLoading && here.wrappedValue.isEmpty, "an ended listing is heard")
    store.notify(2, .all([ann]))
    store.notify(1, .failed(away))
    trial.expect(here.wrappedValue == ["ann": 1] && here.loadError == nil, "another one is heard")
  },
  Case("R8", "a listing that is told at once is asked for once, and ends as well") { trial in
    let store = ScriptedListings()
    store.atOnce = .all([ann])
    do {
      let here = store.everybody()
      trial.expect(here.wrappedValue == ["ann": 1], "who is there is missing")
      trial.expect(store.count, equals: 1)
    }
    trial.expect(store.openCount, equals: 0)
  },
  Case("R8", "who requires the values of a prefix follows them no longer, whatever comes of it") {
    trial in
    let store = ScriptedListings()
    let found = Log()
    store.require { found.append($0?.wrappedValue.count ?? -1) }
    trial.expect(store.openCount, equals: 1)
    store.notify(0, .all([ann]))
    for answer in [RevisionListing.all([ann, bob]), .failed(away)] {
      store.atOnce = answer
      store.require { found.append($0?.wrappedValue.count ?? -1) }
    }
    trial.expect(found.numbers, equals: [1, 2, -1])
    trial.expect(store.openCount, equals: 0)
  },
  Case("R8", "who has required the values of a prefix may follow them at once") { trial in
    let store = ScriptedListings()
    store.atOnce = .all([ann])
    let kept = Kept()
    store.require { _ in kept.reader = store.everybody() }
    trial.expect(store.openCount, equals: 1)
    store.notify(store.count - 1, .changed([bob]))
    trial.expect(kept.reader?.wrappedValue == ["ann": 1, "bob": 2], "a change is missing")
    kept.reader = nil
    trial.expect(store.openCount, equals: 0)
  },
  Case("R29", "a listing that has failed ends when the next one begins") { trial in
    let store = ScriptedListings()
    store.atOnce = .failed(away)
    let here = store.everybody()
    store.atOnce = .all([ann])
    here.load { _ in }
    trial.expect(here.wrappedValue == ["ann": 1], "it is not listed again")
    trial.expect(store.openCount, equals: 1)
    store.notify(0, .changed([bob]))
    trial.expect(here.wrappedValue == ["ann": 1], "the failed one is heard")
  },
  Case("R29", "a listing that fails at once is asked for once, and again by a load") { trial in
    let store = ScriptedListings()
    store.atOnce = .failed(away)
    let everybody = store.everybody()
    trial.expect(store.count, equals: 1)
    trial.expect(everybody.loadError != nil, "that it has failed is not told")
    store.atOnce = .all([])
    everybody.load()
    trial.expect(store.count, equals: 2)
    trial.expect(everybody.loadError == nil && !everybody.isLoading, "it is not complete")
  },
  Case("R30", "that a prefix is told no more is told, until all is told again") { trial in
    let store = ScriptedListings()
    let here = store.everybody()
    store.notify(0, .all([ann]))
    store.notify(0, .failed(away))
    trial.expect(here.loadError != nil, "it is not told")
    trial.expect(here.wrappedValue == ["ann": 1], "who was there is not shown any more")
    store.notify(0, .all([ann, bob]))
    trial.expect(here.loadError == nil, "all that is there does not unsay it")
    trial.expect(here.wrappedValue.count, equals: 2)
    trial.expect(store.count, equals: 1)
  },
  Case("R30", "a listing that has failed may tell all later") { trial in
    let store = ScriptedListings()
    let here = store.everybody()
    store.notify(0, .failed(away))
    trial.expect(here.loadError != nil, "it is not told")
    store.notify(0, .all([ann]))
    trial.expect(here.loadError == nil && !here.isLoading, "it does not unsay it")
    trial.expect(here.wrappedValue == ["ann": 1], "who is there is missing")
    store.notify(0, .changed([bob]))
    trial.expect(here.wrappedValue.count, equals: 2)
  },
  Case("R29", "who waits for the values of a prefix is answered when the last reader goes") {
    trial in
    let store = ScriptedListings()
    let failures = Log()
    store.everybody().load { if case .failure = $0 { failures.append(1) } }
    trial.expect(failures.count, equals: 1)
    store.notify(0, .all([ann]))
    trial.expect(failures.count, equals: 1)
  },
  Case("R13", "a change that is told before all values of a prefix is shown with them") { trial in
    let store = ScriptedListings()
    let here = store.everybody()
    let newer = StoredRevision(key: ann.key, revision: 3, bytes: [UInt8(ascii: "3")])
    store.notify(0, .changed([newer, bob]))
    trial.expect(here.isLoading && here.wrappedValue.isEmpty, "it is shown without the others")
    store.notify(0, .all([ann]))
    trial.expect(here.wrappedValue == ["ann": 3, "bob": 2], "a change is missing")
    store.notify(0, .all([ann]))
    trial.expect(here.wrappedValue == ["ann": 1], "it is told once more")
  },
  Case("R13", "a store in memory tells what changes while it tells all there is") { trial in
    let store = MemoryRevisionStore()
    let writer = SharingEnvironment()
    writer.engines.use(store, for: .world)
    let found = Log()
    let subscription = store.list(prefix: "people.") { listing in
      switch listing {
      case .all:
        writer.run { Shared(wrappedValue: 0, .engine("people.a", in: .world)).withLock { $0 = 1 } }
      case .changed(let stored): for one in stored { found.append(Int(one.revision)) }
      case .failed: break
      }
    }
    subscription.cancel()
    trial.expect(found.numbers, equals: [1])
  },
  Case("R13", "a change while the values of a prefix are decoded is shown") {
    trial in
    let store = MemoryRevisionStore()
    let writer = SharingEnvironment()
    writer.engines.use(store, for: .world)
    let set: @Sendable (Int) -> Void = { number in
      writer.run {
        for name in ["ann", "bob"] {
          Shared(wrappedValue: 0, .engine("people.\(name)", in: .world)).withLock { $0 = number }
        }
      }
    }
    writer.run { Shared(wrappedValue: 0, .engine("people.ann", in: .world)).withLock { $0 = 1 } }
    let kept = Kept()
    kept.onDecode = { set(2) }
    let here = everybody(in: store, coding: kept.coding)
    trial.expect(here.wrappedValue == ["ann": 2, "bob": 2], "a change is missing")
    set(3)
    trial.expect(here.wrappedValue == ["ann": 3, "bob": 3], "it does not go on")
  },
  Case("R7", "what decodes a value of a prefix may ask for the prefix again") { trial in
    let store = ScriptedListings()
    let kept = Kept()
    let here = everybody(in: store, coding: kept.coding)
    for listing in [RevisionListing.all([ann]), .changed([bob])] {
      kept.onDecode = { here.load { _ in } }
      store.notify(0, listing)
    }
    trial.expect(here.wrappedValue == ["ann": 1, "bob": 2], "somebody is missing")
  },
]

private let ann = StoredRevision(key: "people.ann", revision: 1, bytes: [UInt8(ascii: "1")])
private let bob = StoredRevision(key: "people.bob", revision: 2, bytes: [UInt8(ascii: "2")])
private let away = StorageError(.unavailable, key: nil, "It is away.")

/// Returns all numbers, read by a program of its own.
private func everybody(
  in store: any RevisionStore, coding: StorageCoding<Int> = .json
) -> SharedReader<[KeyName: Int]> {
  let reader = SharingEnvironment()
  reader.engines.use(store, for: .world)
  return reader.run {
    SharedReader(wrappedValue: [:], .engine(prefix: "people.", in: .world, coding: coding))
  }
}

/// The state of a case between two calls.
private final class Kept: @unchecked Sendable {
  var reader: SharedReader<[KeyName: Int]>?
  /// The action at the next decoding of a value.
  var onDecode: (() -> Void)?

  /// Decodes numbers; runs the action first.
  var coding: StorageCoding<Int> {
    StorageCoding(
      encode: { _ in nil },
      decode: { bytes in
        let happen = self.onDecode
        self.onDecode = nil
        happen?()
        return (try? JSON.decode(from: bytes)) ?? 0
      })
  }
}

/// A store that sends listings on demand and counts its listeners.
private final class ScriptedListings: RevisionStore, @unchecked Sendable {
  private var listeners: [@Sendable (RevisionListing) -> Void] = []
  private(set) var openCount = 0
  /// The listing that a new listener receives immediately.
  var atOnce: RevisionListing?

  /// The number of listings that were requested.
  var count: Int { listeners.count }

  func everybody() -> SharedReader<[KeyName: Int]> { Conformance.everybody(in: self) }

  func require(_ done: @escaping @Sendable (SharedReader<[KeyName: Int]>?) -> Void) {
    let reader = SharingEnvironment()
    reader.engines.use(self, for: .world)
    reader.run {
      SharedReader<[KeyName: Int]>.require(.engine(prefix: "people.", in: .world)) { result in
        if case .success(let reader) = result { done(reader) } else { done(nil) }
      }
    }
  }

  /// Sends a listing to the listener with an index.
  func notify(_ index: Int, _ listing: RevisionListing) { listeners[index](listing) }

  func list(
    prefix: KeyName, _ onListing: @escaping @Sendable (RevisionListing) -> Void
  ) -> SharedSubscription {
    listeners.append(onListing)
    openCount += 1
    if let atOnce { onListing(atOnce) }
    return SharedSubscription { self.openCount -= 1 }
  }

  func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    done(.failure(away))
  }

  func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    done(.failed(away))
  }

  func watch(_ onChange: @escaping @Sendable (StoreChanges) -> Void) -> SharedSubscription {
    SharedSubscription {}
  }
}
