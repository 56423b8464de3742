import SharingCore
import WasiStorage

/// Wrappers share a value if their keys have equal ids, for any number of keys.
let identity: [Case] = [
  Case("R1", "keys whose ids have one hash are told apart, whichever goes first") { trial in
    for gone in 0..<3 {
      var values = (0..<3).map { shared($0) as Shared<Int>? }
      values[gone] = nil
      for number in 0..<3 where number != gone {
        shared(number).withLock { $0 += 10 }
        trial.expect(values[number]!.wrappedValue, equals: number + 10)
      }
      shared(gone).withLock { $0 = 5 }
      trial.expect(shared(gone).wrappedValue, equals: gone)
    }
  },
  Case("R1", "a value that goes leaves nothing of its key behind") { trial in
    for gone in 0..<3 {
      let ends = Log()
      var values = (0..<3).map { shared($0, ends) as Shared<Int>? }
      values[gone] = nil
      trial.expect(ends.numbers, equals: [gone])
      values = []
      trial.expect(ends.numbers.sorted(), equals: [0, 1, 2])
    }
  },
  Case("R1", "what uses a key's id with another type is not stored") { trial in
    @Shared(.localStorage("value")) var number = 1
    @Shared(.localStorage("value")) var text = "a"
    $text.withLock { $0 = "b" }
    trial.expect(trial.store["value"], equals: nil)
    $number.withLock { $0 = 2 }
    trial.expect(trial.store["value"], equals: "2")
    $text.save()
    $text.withLock { $0 = "c" }
    trial.expect(trial.store["value"], equals: "2")
    trial.expect(text, equals: "c")
    trial.expect(trial.issues.count, equals: 1)
  },
  Case("R1", "each of many keys finds its own value") { trial in
    let values = (0..<200).map { Shared(wrappedValue: $0, .inMemory("value \($0)")) }
    for number in 0..<200 {
      Shared(wrappedValue: -1, .inMemory("value \(number)")).withLock { $0 += 1000 }
    }
    trial.expect(values.map { $0.wrappedValue }, equals: (1000..<1200) + [])
  },
]

private func shared(_ number: Int, _ ends: Log? = nil) -> Shared<Int> {
  Shared(wrappedValue: number, CrowdedKey(id: CrowdedID(number, ends)))
}

/// An id with the same hash as all others. It reports its release.
private final class CrowdedID: Hashable, Sendable {
  private let number: Int
  private let ends: Log?

  init(_ number: Int, _ ends: Log?) {
    self.number = number
    self.ends = ends
  }

  deinit { ends?.append(number) }

  static func == (left: CrowdedID, right: CrowdedID) -> Bool { left.number == right.number }

  func hash(into hasher: inout Hasher) {}
}

private struct CrowdedKey: EmptyKey {
  let id: CrowdedID
}
