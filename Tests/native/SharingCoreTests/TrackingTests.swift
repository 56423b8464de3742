import SharingCore
import Synchronization
import Testing

@Suite struct TrackingTests {
  @Test func aChangeThatWasNotAssertedShowsBeforeAndAfter() {
    let failures = Failures()
    let user = Shared(value: User(), fileID: "App/Model.swift", line: 3)
    failures.track {
      user.withLock(
        {
          $0.name = "Ada"
          $0.scores.append(4)
        }, fileID: "App/Model.swift", line: 12)
    }
    #expect(
      failures.texts == [
        """
        App/Model.swift:12: Sharing: This change of a Shared<User> was not asserted.

              User(
            -   name: "Blob",
            +   name: "Ada",
                address: Address(
                  street: "Main",
              …
                  1,
                  2,
            -     3
            +     3,
            +     4
                ]
              )

        (before: -, after: +)

        Assert it with '$value.assert { … }', or skip it with '$value.skipChanges()'. The \
        value is declared at App/Model.swift:3.
        """
      ])
  }

  @Test func anotherValueThanWasAssertedShowsBothAndTheChange() {
    let failures = Failures()
    let count = Shared(value: 0)
    failures.track {
      count.withLock({ $0 = 2 }, fileID: "App/Model.swift", line: 12)
      count.assert({ $0 = 1 }, fileID: "AppTests/Tests.swift", line: 34)
    }
    #expect(
      failures.texts == [
        """
        AppTests/Tests.swift:34: Sharing: This Shared<Int>, first changed at App/Model.swift:12, is \
        not what was asserted.

            - 1
            + 2

        (expected: -, actual: +)

            - 0
            + 2

        (before: -, after: +)
        """
      ])
  }

  @Test func aFailureSaysWhereAValueWithAKeyIsDeclared() {
    let failures = Failures()
    failures.track {
      let first = Shared(wrappedValue: 0, .inMemory("declared"), fileID: "App/A.swift", line: 3)
      let second = Shared(wrappedValue: 0, .inMemory("declared"), fileID: "App/B.swift", line: 4)
      second.withLock { $0 += 1 }
      _ = first
    }
    #expect(
      failures.texts.first?.hasSuffix("skipChanges()'. The value is declared at App/A.swift:3.")
        == true)
  }

  @Test func aHelperHandsOnItsCallSite() {
    func increment(
      _ count: Shared<Int>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
      line: UInt = #line, column: UInt = #column
    ) {
      let isOne = count.withLock(
        {
          $0 += 1
          return $0 == 1
        }, fileID: fileID, filePath: filePath, line: line, column: column)
      #expect(isOne)
      count.assert(
        { $0 = 2 }, fileID: fileID, filePath: filePath, line: line + 1, column: column)
    }
    let failures = Failures()
    let line: UInt = #line + 1
    failures.track { increment(Shared(value: 0)) }
    #expect(failures.all.first?.line == line + 1)
    #expect(failures.texts.first?.contains("first changed at \(#fileID):\(line),") == true)
  }

  @available(*, deprecated)
  @Test func aChangeWithoutACallSiteHasNoPlace() throws {
    let failures = Failures()
    @Shared(value: 0) var count
    failures.track {
      count = 1
      $count.assert({ $0 = 2 }, fileID: "AppTests/Tests.swift", line: 34)
      count = 3
    }
    #expect(failures.texts.first?.contains(", first changed at an unknown place, is not") == true)
    let last = try #require(failures.all.last)
    #expect(last.description.hasPrefix("Sharing: This change of a Shared<Int> was not asserted."))
    #expect(last.fileID == nil)
    #expect(last.line == nil)
  }

  @Test func theOtherFailuresNameTheType() {
    let failures = Failures()
    let users = Shared(value: [User()])
    let first = users[0]
    failures.track {
      first.name.assert({ $0 = "Ada" }, fileID: "T/T.swift", line: 1)
      users.withLock { $0 = [] }
      first.assert({ $0.name = "Ada" }, fileID: "T/T.swift", line: 2)
      users.assert { $0 = [] }
    }
    #expect(
      failures.texts == [
        """
        T/T.swift:1: Sharing: A change of this Shared<String> was expected, but there was none.
        """,
        """
        T/T.swift:2: Sharing: This Shared<User> did not exist before the change, or does not exist \
        now. Assert the value that contains it.
        """,
      ])
  }

  @Test func aFailureKnowsItsPlaceAndItsMessage() throws {
    let failures = Failures()
    let count = Shared(value: 0)
    failures.track { count.withLock({ $0 = 2 }, fileID: "App/Model.swift", line: 12) }
    let failure = try #require(failures.all.first)
    #expect(failure.fileID?.description == "App/Model.swift")
    #expect(failure.line == 12)
    #expect(failure.message.description.hasPrefix("This change of a Shared<Int> was not asserted."))
  }

  @Test func aListThatWasChangedAsAWholeIsAssertedElementByElement() {
    let failures = Failures()
    let users = Shared(value: [User(), User(), User()])
    failures.track {
      users.withLock {
        $0[0].name = "Ada"
        $0[2].name = "Bob"
      }
      users[0].assert { $0.name = "Ada" }
      users[2].name.assert { $0 = "Bob" }
    }
    #expect(failures.texts == [])
  }

  @Test func aComputedPropertyIsAssertedAlone() {
    let failures = Failures()
    let user = Shared(value: User())
    failures.track {
      user.initial.withLock { $0 = "C" }
      user.initial.assert { $0 = "C" }
      user.initial.withLock { $0 = "D" }
      user.address.street.withLock({ $0 = "Side" }, fileID: "App/Model.swift", line: 12)
      user.initial.assert { $0 = "D" }
    }
    #expect(failures.all.count == 1)
    #expect(failures.texts.first?.contains(#"+     street: "Side""#) == true)
  }

  @Test func aValueThatCannotBeComparedIsComparedByItsLooks() {
    let failures = Failures()
    let box = Shared(value: Incomparable(number: 1))
    failures.track { box.withLock { $0.number = 1 } }
    #expect(failures.texts == [])
    failures.track { box.withLock { $0.number = 2 } }
    #expect(failures.all.count == 1)
    failures.track {
      box.number.withLock { $0 = 3 }
      box.skipChanges()
    }
    #expect(failures.all.count == 1)
  }

  @Test func changesOfTheTasksThatTheScopeStartsCount() async {
    let failures = Failures()
    let count = Shared(value: 0)
    await failures.track {
      await withTaskGroup(of: Void.self) { group in
        for _ in 1...100 { group.addTask { count.withLock { $0 += 1 } } }
      }
      await Task { count.withLock { $0 += 1 } }.value
      count.assert { $0 = 101 }
    }
    #expect(failures.texts == [])
    await failures.track {
      async let change: Void = count.withLock { $0 = 0 }
      await change
    }
    #expect(failures.all.count == 1)
  }

  @Test func aTaskThatOutlivesTheScopeIsNotHeard() async {
    let failures = Failures()
    let count = Shared(value: 0)
    let (gate, opener) = AsyncStream<Void>.makeStream()
    let tracker = SharedChangeTracker { failures.append($0) }
    let task = tracker.track {
      Task {
        for await _ in gate {}
        count.withLock { $0 = 1 }
      }
    }
    await SharedChangeTracker().track {  // opens another tracker's scope
      opener.finish()
      await task.value
    }
    #expect(!tracker.hasChanges)
    #expect(failures.texts == [])
  }

  @Test(arguments: 0..<20)
  func scopesInParallelHearOfTheirOwnChangesOnly(number: Int) async {
    let failures = Failures()
    let mine = Shared(value: 0)
    await failures.track {
      for value in 1...100 {
        mine.withLock { $0 = value }
        Self.everybodys.withLock { $0 += 1 }
        await Task.yield()
      }
      mine.assert { $0 = 100 }
      Self.everybodys.skipChanges()
    }
    #expect(failures.texts == [])
  }

  private static let everybodys = Shared(value: 0)

  @MainActor @Test func aScopeStaysOnItsActor() async {
    let failures = Failures()
    var isOnMainActor = false
    let count = Shared(value: 0)
    await failures.track {
      isOnMainActor = true
      await Task.yield()
      count.withLock { $0 = 1 }
      count.assert { $0 = 1 }
    }
    #expect(isOnMainActor)
    #expect(failures.texts == [])
  }

  @Test func valuesLookMuchLikeSwift() {
    let failures = Failures()
    let value = Shared(value: Everything(), fileID: "A/B.swift", line: 3)
    failures.track {
      value.withLock({ $0 = Everything(isFull: true) }, fileID: "A/B.swift", line: 1)
    }
    #expect(
      failures.texts == [
        """
        A/B.swift:1: Sharing: This change of a Shared<Everything> was not asserted.

              Everything(
            -   list: [],
            -   names: [:],
            -   set: [],
            -   note: nil,
            +   list: [
            +     1,
            +     2
            +   ],
            +   names: [
            +     "a": 1,
            +     "b": 2
            +   ],
            +   set: [
            +     3,
            +     4
            +   ],
            +   note: "a \\"note\\"\\nof two lines",
                pair: (
            -     0,
            -     second: 0.0
            +     1,
            +     second: 0.5
                ),
            -   phase: .idle,
            +   phase: .failed(
            +     "why"
            +   ),
                object: Node(
            -     next: nil
            +     next: Node(…)
                ),
            -   empty: nil
            +   empty: Empty()
              )

        (before: -, after: +)

        Assert it with '$value.assert { … }', or skip it with '$value.skipChanges()'. The \
        value is declared at A/B.swift:3.
        """
      ])
  }

  @Test func aPartIsAssertedWithWhatItLiesInHoweverItWasDerived() {
    let failures = Failures()
    let user = Shared(value: User())
    failures.track {
      let street = user[dynamicMember: \.address.street]
      let number = user[dynamicMember: \.address.number]
      street.withLock({ $0 = "Side" }, fileID: "App/Model.swift", line: 11)
      number.withLock({ $0 = 12 }, fileID: "App/Model.swift", line: 12)
      user.name.withLock({ $0 = "Ada" }, fileID: "App/Model.swift", line: 13)
      user.address.assert { $0 = Address(street: "Side", number: 12) }
    }
    #expect(failures.texts.count == 1)
    #expect(failures.texts.first?.hasPrefix("App/Model.swift:13: ") == true)
  }

  @Test func whatHasBecomeWhatItWasIsForgottenWithWhereItWasChanged() {
    let failures = Failures()
    let user = Shared(value: User())
    failures.track {
      user.name.withLock({ $0 = "Ada" }, fileID: "App/Model.swift", line: 11)
      user.name.withLock({ $0 = "Blob" }, fileID: "App/Model.swift", line: 12)
      user.address.number.withLock({ $0 = 12 }, fileID: "App/Model.swift", line: 13)
      user.address.assert { $0.number = 12 }
      user.name.withLock({ $0 = "Ada" }, fileID: "App/Model.swift", line: 14)
    }
    #expect(failures.texts.count == 1)
    #expect(failures.texts.first?.hasPrefix("App/Model.swift:14: ") == true)
  }
}

/// Receives the reports of a tracker.
private final class Failures: Sendable {
  private let issues = Mutex<[SharingIssue]>([])

  var all: [SharingIssue] { issues.withLock { $0 } }
  var texts: [String] { all.map(\.description) }

  func append(_ issue: SharingIssue) {
    issues.withLock { $0.append(issue) }
  }

  func track(_ body: () -> Void) {
    SharedChangeTracker { self.append($0) }.track(body)
  }

  nonisolated(nonsending) func track(_ body: nonisolated(nonsending) () async -> Void) async {
    await SharedChangeTracker { self.append($0) }.track(body)
  }
}

private struct User: Equatable {
  var name = "Blob"
  var address = Address()
  var scores = [1, 2, 3]

  var initial: String {
    get { String(name.prefix(1)) }
    set { name = newValue + name.dropFirst() }
  }
}

private struct Address: Equatable {
  var street = "Main"
  var number = 1
}

private struct Incomparable {
  var number: Int
}

private struct Empty {}

private final class Node {
  var next: Node?
}

/// One of each kind of value.
private struct Everything {
  enum Phase { case idle, failed(String) }

  var list: [Int] = []
  var names: [String: Int] = [:]
  var set: Set<Int> = []
  var note: String?
  var pair = (0, second: 0.0)
  var phase = Phase.idle
  var object = Node()
  var empty: Empty?

  init() {}

  init(isFull: Bool) {
    list = [1, 2]
    names = ["b": 2, "a": 1]
    set = [4, 3]
    note = "a \"note\"\nof two lines"
    pair = (1, 0.5)
    phase = .failed("why")
    object.next = object
    empty = Empty()
  }
}
