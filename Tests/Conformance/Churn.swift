import SharingCore
import SharingTestDoubles
import WasiStorage

/// Creates, uses and releases one object of each kind. The heap must have its former size then.
package let churns: [(name: String, run: @Sendable () -> Void)] = [
  ("derivations", churnDerivations), ("observers", churnObservers), ("pointing", churnPointing),
  ("parts of a value that stays", churnParts), ("keys", churnKeys),
  ("stored values", churnStoredValues),
]

/// A list that lives as long as the program, with a different element each time.
private let staying = Shared(value: [Item(id: 0)])

private func churnParts() {
  let token = observe {
    _ = staying[id: staying[0].id.wrappedValue]?.number.wrappedValue
  }
  staying.withLock { $0 = [Item(id: $0[0].id + 1)] }
  _ = token
}

private func churnDerivations() {
  let items = Shared(value: [Item(id: 1), Item(id: 2, title: "a title that is long enough")])
  let optional = Shared<User?>(value: User())
  let sum = items.read { $0.count }
  let token = observe {
    _ = items[id: 2]?.title.wrappedValue
    _ = items[0].number.wrappedValue
    _ = Shared(optional)?.address.street.wrappedValue
    _ = sum.wrappedValue
  }
  let rows = items.observeElements { _, _ in }
  items[id: 2]?.number.withLock { $0 += 1 }
  Shared(optional)?.name.withLock { $0 = "Ada" }
  items.withLock { $0.removeLast() }
  optional.withLock { $0 = nil }
  token.cancel()
  rows.cancel()
}

private func churnObservers() {
  let count = Shared(value: 0)
  let kept = Log()
  var tokens: Set<ObservationToken> = []
  for _ in 0..<3 { observe { kept.append(count.wrappedValue) }.store(in: &tokens) }
  count.publisher.sink { kept.append($0) }.store(in: &tokens)
  let other = observe {
    if count.wrappedValue > 0 { tokens = [] }
  }
  batch {
    count.withLock { $0 = 1 }
    observe { _ = count.wrappedValue }.cancel()
    count.withLock { $0 = 2 }
  }
  _ = other
}

private func churnPointing() {
  @Shared(value: User()) var user
  let reader = $user.reader
  let token = observe { _ = reader.age.wrappedValue + $user.address.number.wrappedValue }
  $user = Shared(value: User())
  $user.withLock { _ in $user = Shared(value: User()) }
  reader.projectedValue = SharedReader(Shared(value: User()))
  $user.age.withLock { $0 = 3 }
  _ = token
}

private func churnKeys() {
  let feed = Feed()
  do {
    @Shared(FeedKey(feed: feed)) var count = 0
    let token = observe { _ = count + ($count.isLoading ? 1 : 0) }
    feed.finish(with: 1)
    feed.subscriber?.yield(2)
    $count.withLock { $0 += 1 }
    $count.save()
    token.cancel()
  }
  feed.subscriber = nil
}

private func churnStoredValues() {
  let environment = SharingEnvironment()
  let clock = ManualClock()
  let store = MemoryStore()
  environment.stores.local = store
  environment.stores.clock = clock
  environment.run {
    @Shared(.localStorage("user")) var user = User()
    @Shared(.localStorage("draft", saving: .debounced(milliseconds: 10))) var draft = 0
    @SharedReader(.localStorage("draft")) var reader = 0
    let age = $user.age.reader
    let token = age.publisher.sink { number in
      let sum = number + reader
      $draft.withLock { $0 = sum }
    }
    $user.address.number.withLock { $0 += 1 }
    $user.age.withLock { $0 += 1 }
    clock.advance(by: 10)
    $user.load()
    $user.reset()
    $draft.withLock { $0 = 7 }
    // A pending save and its clock keep each other alive.
    clock.callAll()
    for key in store.keys() { store.remove(key) }
    _ = token
  }
}
