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
    Case("R2", "a wrapper without a key has the value that it is given") { trial in
      @SharedReader(value: 5) var reader
      $reader = SharedReader(wrappedValue: 1, .inMemory("count"))
      trial.expect(reader, equals: 1)
    },
  ]
}

extension Log {
  /// Notes a number, and hands it back.
  fileprivate func noting(_ number: Int) -> Int {
    append(number)
    return number
  }
}

extension SharedReaderKey where Self == InMemoryKey<Int>.Default {
  fileprivate static var size: Self { Self[.inMemory("size"), default: 3] }
  fileprivate static var otherSize: Self { Self[.inMemory("size"), default: 4] }
}
