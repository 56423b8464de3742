/// A generator of random numbers, the same ones for the same seed: SplitMix64, by Sebastiano Vigna,
/// https://prng.di.unimi.it/splitmix64.c
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 to one less than the limit.
  package mutating func below(_ limit: Int) -> Int {
    Int(next() % UInt64(limit))
  }

  /// Returns true with a probability in percent.
  package mutating func percent(_ share: Int) -> Bool {
    below(100) < share
  }

  /// Returns one of the elements, each with equal probability.
  package mutating func one<Element>(of elements: [Element]) -> Element {
    elements[below(elements.count)]
  }

  /// Returns one of the elements, each with a probability proportional to its weight.
  package mutating func weighted<Element>(_ elements: [(Element, weight: Int)]) -> Element {
    var number = below(elements.reduce(0) { $0 + $1.weight })
    for (element, weight) in elements {
      number -= weight
      if number < 0 { return element }
    }
    return elements[elements.count - 1].0
  }
}
