import SharingCore
import WasiStorage

/// What is being saved is not yet saved: neither a load nor another thread's change may make it
/// vanish.
let saving: [Case] = [
  Case("R5", "a load during a save that ends later loses no change") { trial in
    let store = LateStore(1)
    @Shared(LateKey(store: store)) var count = 0
    store.answerLoads()
    $count.withLock { $0 = 2 }
    $count.load()
    store.answerLoads()
    trial.expect(count, equals: 2)
    store.answerSaves()
    trial.expect(store.stored ?? 0, equals: 2)
    trial.expect(count, equals: 2)
  },
  Case("R5", "nor does one that is answered after the save") { trial in
    let store = LateStore(1)
    @Shared(LateKey(store: store)) var count = 0
    store.answerLoads()
    $count.withLock { $0 = 2 }
    $count.withLock { $0 = 3 }
    $count.load()
    store.answerSaves()
    store.answerLoads()
    trial.expect(count, equals: 3)
    trial.expect(store.stored ?? 0, equals: 3)
  },
  Case("R5", "nor does the first load when the value has been changed before its answer") { trial in
    let store = LateStore(1)
    @Shared(LateKey(store: store)) var count = 0
    $count.withLock { $0 = 2 }
    store.answerLoads()
    trial.expect(count, equals: 2)
    store.answerSaves()
    trial.expect(store.stored ?? 0, equals: 2)
  },
  Case("R5", "once everything is saved, a load shows what is stored") { trial in
    let store = LateStore(1)
    @Shared(LateKey(store: store)) var count = 0
    store.answerLoads()
    $count.withLock { $0 = 2 }
    store.answerSaves()
    $count.withLock { $0 = 3 }
    store.answerSaves()
    store.subscriber?.yield(7)
    trial.expect(count, equals: 7)
    $count.load()
    store.answerLoads()
    trial.expect(count, equals: 3)
  },
  Case("R16", "a load after a save that was refused says what it replaces") { trial in
    let store = LateStore(1)
    @Shared(LateKey(store: store)) var count = 0
    store.answerLoads()
    $count.withLock { $0 = 2 }
    store.refuseSaves()
    $count.load()
    store.answerLoads()
    trial.expect(count, equals: 1)
    trial.expect($count.loadError.map(reason) == .replaced, "the loss is not said")
    trial.expect($count.saveError == nil, "what is shown is stored")
  },
]
