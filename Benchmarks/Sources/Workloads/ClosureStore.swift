/// A handwritten store without a library: closures around a variable and a list of subscribers.
struct ClosureStore: @unchecked Sendable {
  let get: () -> Int
  let set: (Int) -> Void
  let subscribe: (@escaping () -> Void) -> Void

  /// Not inlined: otherwise the optimizer of the caller removes the closures if nobody subscribes.
  @inline(never)
  init(_ initialValue: Int) {
    var value = initialValue
    var subscribers: [() -> Void] = []
    get = { value }
    set = { newValue in
      value = newValue
      for subscriber in subscribers { subscriber() }
    }
    subscribe = { subscribers.append($0) }
  }
}

extension Workload {
  /// The baselines for a shared number on hosts without JavaScript.
  static let closureStores = [
    sets("closure store, no subscriber", subscribers: 0),
    sets("closure store, 1 subscriber", subscribers: 1),
    sets("closure store, per subscriber of 10,000", subscribers: 10_000),
  ]

  private static func sets(_ name: StaticString, subscribers: Int) -> Workload {
    Workload(name, operations: max(1, subscribers)) {
      let store = ClosureStore(0)
      for _ in 0..<subscribers {
        let seen = Seen()
        store.subscribe { seen.value = store.get() }
      }
      return { for _ in 0..<$0 { store.set(store.get() + 1) } }
    }
  }
}
