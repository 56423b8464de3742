import CSystem
import SharingCore
import WasiStorage

/// The heap bytes of one object, measured with 10,000 of them.
struct Footprint: Sendable {
  let name: String
  let measure: @Sendable () -> Double

  private static let count = 10_000

  /// - Parameter make: Creates the object of a number.
  init<Thing>(_ name: String, of make: @escaping @Sendable (_ number: Int) -> Thing) {
    self.name = name
    measure = { Self.bytes(of: make) }
  }

  /// Measures an object without the key that is created with it.
  init<Key, Thing>(
    _ name: String, beyond makeKey: @escaping @Sendable (_ number: Int) -> Key,
    of make: @escaping @Sendable (Key) -> Thing
  ) {
    self.name = name
    measure = { Self.bytes { make(makeKey($0)) } - Self.bytes(of: makeKey) }
  }

  /// The array is allocated before, so the result does not include it, only the objects' heap.
  private static func bytes<Thing>(of make: (Int) -> Thing) -> Double {
    SharingEnvironment().run {
      SharingEnvironment.current.stores.local = MemoryStore()
      var things: [Thing] = []
      things.reserveCapacity(count)
      let before = bench_heap_size()
      for number in 0..<count { things.append(make(number)) }
      let after = bench_heap_size()
      return withExtendedLifetime(things) { Double(after - before) / Double(count) }
    }
  }
}

extension Footprint {
  static let all = [
    Footprint("Shared(value: 0)") { _ in Shared(value: 0) },
    Footprint("Shared(value: 0), read once") { _ in read(Shared(value: 0)) },
    Footprint(".inMemory, beyond its key", beyond: memoryKey) { Shared(wrappedValue: 0, $0) },
    // The environment keeps the reference after the wrapper is released.
    Footprint(".inMemory, beyond its key and its wrapper", beyond: memoryKey) { key in
      _ = Shared(wrappedValue: 0, key)
      return key
    },
    Footprint(".inMemory, beyond its key, read once", beyond: memoryKey) {
      read(Shared(wrappedValue: 0, $0))
    },
    Footprint(".localStorage, beyond its key", beyond: localKey) { Shared(wrappedValue: 0, $0) },
    Footprint(".localStorage, beyond its key, read once", beyond: localKey) {
      read(Shared(wrappedValue: 0, $0))
    },
  ]
}

private func memoryKey(_ number: Int) -> InMemoryKey<Int> { .inMemory("key-\(number)") }

private func localKey(_ number: Int) -> LocalStorageKey<Int> { .localStorage("key-\(number)") }

private func read(_ count: Shared<Int>) -> Shared<Int> {
  _ = count.wrappedValue
  return count
}
