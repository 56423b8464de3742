import SharingCore
import WasiStorage

extension Case {
  static let trackingOfParts: [Case] = [
    Case("R23", "a part is asserted alone, and the rest remains to be") { trial in
      @Shared(value: User()) var user
      trial.track {
        $user.name.withLock({ $0 = "Ada" }, fileID: "Change.swift", line: 11)
        $user.age.withLock({ $0 = 36 }, fileID: "Change.swift", line: 12)
        $user.name.assert { $0 = "Ada" }
      }
      trial.expect(trial.issues.count, equals: 1)
      trial.expect(trial.lastIssue, contains: "Change.swift:12")
    },
    Case("R23", "a value that was changed as a whole is asserted part by part") { trial in
      @Shared(value: User()) var user
      trial.track {
        $user.withLock {
          $0.name = "Ada"
          $0.address.number = 12
          $0.scores = [1, 2]
        }
        $user.name.assert { $0 = "Ada" }
        $user.address.number.assert { $0 = 12 }
        $user.scores.assert { $0 = [1, 2] }
      }
      trial.expect(trial.issues.count, equals: 0)
    },
    Case("R23", "a part is asserted with what it is a part of") { trial in
      @Shared(value: User()) var user
      trial.track {
        $user.address.street.withLock { $0 = "Side" }
        $user.address.number.withLock { $0 = 12 }
        $user.address.assert {
          $0.street = "Side"
          $0.number = 12
        }
      }
      trial.expect(trial.issues.count, equals: 0)
    },
    Case("R23", "a part that has not changed cannot be asserted, though others have") { trial in
      @Shared(value: User()) var user
      trial.track {
        $user.age.withLock { $0 = 36 }
        $user.name.assert({ $0 = "Ada" }, fileID: "Assertion.swift", line: 22)
        $user.age.assert { $0 = 36 }
      }
      trial.expect(trial.issues.count, equals: 1)
      trial.expect(trial.lastIssue, contains: "Assertion.swift:22")
    },
    Case("R23", "an element is asserted alone, whatever it was called when it changed") { trial in
      @Shared(value: [Item(id: 1), Item(id: 2), Item(id: 3)]) var items
      trial.track {
        $items[id: 3]?.number.withLock { $0 = 3 }
        $items[1].number.withLock { $0 = 2 }
        $items[id: 3]?.number.assert { $0 = 3 }
        $items[id: 2]?.number.assert { $0 = 2 }
      }
      trial.expect(trial.issues.count, equals: 0)
      trial.track {
        $items[id: 1]?.number.withLock({ $0 = 5 }, fileID: "Change.swift", line: 11)
        $items[id: 2]?.number.withLock({ $0 = 6 }, fileID: "Change.swift", line: 12)
        $items[0].assert { $0.number = 5 }
      }
      trial.expect(trial.issues.count, equals: 1)
      trial.expect(trial.lastIssue, contains: "Change.swift:12")
    },
    Case("R23", "an element that has come or gone is asserted with its list") { trial in
      @Shared(value: [Item(id: 1), Item(id: 2)]) var items
      let one = $items[id: 1]
      trial.track {
        $items.withLock { $0 = [Item(id: 2), Item(id: 3)] }
        one?.assert { $0.number = 1 }
        $items[id: 3]?.assert { $0.number = 1 }
        $items.assert { $0 = [Item(id: 2), Item(id: 3)] }
      }
      trial.expect(trial.issues.count, equals: 2)
      trial.expect(trial.lastIssue, contains: "Assert the value that contains it")
    },
    Case("R23", "the value of an optional is asserted alone") { trial in
      @Shared(value: Optional(User())) var user
      trial.track {
        Shared($user)?.age.withLock { $0 = 36 }
        Shared($user)?.age.assert { $0 = 36 }
      }
      trial.expect(trial.issues.count, equals: 0)
    },
  ]
}
