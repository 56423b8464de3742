import SharingCore
import WasiStorage

/// Changes by a closure that may run again, and unsaved changes.
let updates: [Case] = [
  Case("R24", "an update shows at once, wakes observers and is stored") { trial in
    @Shared(.localStorage("count")) var count = 1
    var seen: [Int] = []
    let token = observe { seen.append(count) }
    $count.update { $0 += 1 }
    $count.update { $0 *= 10 }
    trial.expect(seen, equals: [1, 2, 20])
    trial.inAnotherProgram {
      @Shared(.localStorage("count")) var count = 0
      trial.expect(count, equals: 20)
    }
    withExtendedLifetime(token) {}
  },
  Case("R24", "a field, an element and the value of an optional are updated") { trial in
    @Shared(value: User()) var user
    @Shared(value: [Item(id: 1), Item(id: 2)]) var items
    @Shared(value: nil) var number: Int?
    $user.address.number.update { $0 += 1 }
    $items[id: 2]!.number.update { $0 += 5 }
    $number.update { $0 = ($0 ?? 0) + 1 }
    Shared($number)!.update { $0 += 1 }
    trial.expect(user.address.number, equals: 2)
    trial.expect(items.map { $0.number }, equals: [0, 5])
    trial.expect(number ?? 0, equals: 2)
  },
  Case("R24", "an update applies to the freshest stored value, as withLock does") { trial in
    @Shared(.localStorage("count")) var count = 0
    trial.inAnotherProgram {
      @Shared(.localStorage("count")) var count = 0
      $count.update { $0 = 5 }
    }
    $count.update { $0 += 1 }
    trial.expect(count, equals: 6)
  },
  Case("R26", "a value is being saved until its key has answered, and observers hear of it") {
    trial in
    let store = LateStore(1)
    @Shared(LateKey(store: store)) var count = 0
    store.answerLoads()
    var seen: [Bool] = []
    let token = observe { seen.append($count.isSaving) }
    $count.update { $0 += 1 }
    $count.update { $0 += 1 }
    store.answerSaves()
    trial.expect(seen == [false, true, false], "isSaving was \(seen.map { $0 ? 1 : 0 })")
    trial.expect(store.stored ?? 0, equals: 3)
    withExtendedLifetime(token) {}
  },
  Case("R26", "a value whose store answers at once is never seen being saved") { trial in
    @Shared(.localStorage("count")) var count = 0
    var runs = 0
    let token = observe { runs += $count.isSaving ? 10 : 1 }
    $count.update { $0 += 1 }
    trial.expect(runs, equals: 1)
    withExtendedLifetime(token) {}
  },
]
