import SharingCore
import WasiStorage

extension Case {
  static let derivation: [Case] = [
    Case("R3", "a stored property is read and written in its base") { trial in
      @Shared(value: User()) var user
      $user.name.withLock { $0 = "Ada" }
      trial.expect(user.name, equals: "Ada")
      $user.withLock { $0.name = "Bob" }
      trial.expect($user.name.wrappedValue, equals: "Bob")
    },
    Case("R3", "a stored property of a stored property is one too") { trial in
      @Shared(value: User()) var user
      let street = $user.address.street
      street.withLock { $0 = "Side" }
      trial.expect(user.address.street, equals: "Side")
      trial.expect(user.address.number, equals: 1)
    },
    Case("R3", "a constant property is derived as a reader") { trial in
      @Shared(value: User()) var user
      let planet: SharedReader<Int> = $user.address.planet
      trial.expect(planet.wrappedValue, equals: 3)
    },
    Case("R3", "properties are derived from a reader") { trial in
      @Shared(value: User()) var user
      let reader = SharedReader($user)
      $user.address.number.withLock { $0 = 8 }
      trial.expect(reader.address.number.wrappedValue, equals: 8)
    },
    Case("R3", "a derived array is changed in place, without a copy") { trial in
      @Shared(value: User(scores: Array(repeating: 0, count: 1000))) var user
      let scores = $user.scores
      let before = scores.withLock { $0.withUnsafeBufferPointer { $0.baseAddress } }
      scores.withLock { $0[500] = 1 }
      let after = scores.withLock { $0.withUnsafeBufferPointer { $0.baseAddress } }
      trial.expect(before == after, "the array has moved")
      trial.expect(user.scores[500], equals: 1)
    },
    Case("R3", "a derived property of a stored value is saved with it") { trial in
      @Shared(.localStorage("address")) var address = Address()
      $address.number.withLock { $0 = 12 }
      trial.expect(trial.store["address"], equals: #"{"street":"Main","number":12}"#)
    },
  ]
}
