import Foundation
import SharingCore
import Testing

@Suite struct ExclusivityTests {
  @Test func aNestedWithLockStopsAndNamesBothPlaces() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let count = Shared(value: 0)
      count.withLock(
        { outer in count.withLock({ outer = $0 }, fileID: "Inner.swift", line: 22) },
        fileID: "Outer.swift", line: 11)
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("A withLock at Inner.swift:22 is nested"))
    #expect(words.contains("at Outer.swift:11"))
  }

  @Test func itStopsForAValueWithAKeyToo() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      @Shared(NumberKey()) var count = 0
      $count.withLock(
        { outer in $count.withLock({ outer = $0 }, fileID: "Inner.swift", line: 22) },
        fileID: "Outer.swift", line: 11)
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("A withLock at Inner.swift:22 is nested"))
    #expect(words.contains("at Outer.swift:11"))
  }

  @Test(arguments: ["load", "save", "reset"])
  func whatAsksTheKeyInsideAWithLockStops(what: String) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [what] in
      @Shared(NumberKey()) var count = 0
      $count.withLock(
        { _ in
          switch what {
          case "load": $count.load()
          case "save": $count.save()
          default: $count.reset(fileID: "Inner.swift", line: 22)
          }
        }, fileID: "Outer.swift", line: 11)
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("is nested in the withLock of the same value at Outer.swift:11"))
  }

  @Test func itStopsThroughTheWithLockOfAnotherValueToo() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (first, second) = (Shared(value: 0), Shared(value: 0))
      first.withLock(
        { outer in
          second.withLock { inner in
            first.withLock({ outer = $0 + inner }, fileID: "Inner.swift", line: 22)
          }
        }, fileID: "Outer.swift", line: 11)
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("A withLock at Inner.swift:22 is nested"))
    #expect(words.contains("at Outer.swift:11"))
  }

  @Test func itStopsAfterTheWithLockOfAnotherValueToo() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (first, second) = (Shared(value: 0), Shared(value: 0))
      first.withLock(
        { outer in
          second.withLock { $0 = outer }
          outer = first.wrappedValue
        }, fileID: "Outer.swift", line: 11)
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("A read is nested in the withLock of the same value at Outer.swift:11"))
  }

  @Test func aKeyThatYieldsWhileTheValueIsChangedStopsAndNamesThePlace() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let key = YieldingKey()
      let count = Shared(wrappedValue: 0, key)
      count.withLock({ _ in key.yield(5) }, fileID: "Outer.swift", line: 11)
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("is nested in the withLock of the same value at Outer.swift:11"))
  }

  @Test func aKeyThatYieldsNothingWhileTheDefaultIsChangedStopsAndNamesThePlace() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let key = YieldingKey()
      let count = Shared(wrappedValue: 0, key)
      count.withLock({ _ in key.yieldNothing() }, fileID: "Outer.swift", line: 11)
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("is nested in the withLock of the same value at Outer.swift:11"))
  }

  @Test(arguments: ["the answer to a save", "the answer to a load", "a refresh", "the status"])
  func whatTheKeyDoesWhileTheValueIsChangedStopsAndNamesThePlace(what: String) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [what] in
      let key = YieldingKey(answersAtOnce: false)
      let count = Shared(wrappedValue: 0, key)
      count.withLock { $0 = 1 }
      count.withLock(
        { _ in
          switch what {
          case "the answer to a save": key.answerSave()
          case "the answer to a load": key.answerLoad()
          case "a refresh": key.refresh()
          default: _ = count.saveError
          }
        }, fileID: "Outer.swift", line: 11)
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("is nested in the withLock of the same value at Outer.swift:11"))
  }

  @Test func theLastWordsAreToldAsSuch() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      SharingEnvironment.current.onIssue = { issue in
        if issue.severity == .fatal { FileHandle.standardError.write(Data("told as fatal".utf8)) }
      }
      let count = Shared(value: 0)
      count.withLock { $0 = count.wrappedValue }
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("told as fatal"))
  }

  @Test func aReadOfTheSameValueInAWithLockStopsAndNamesThePlace() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let count = Shared(value: 0)
      count.withLock({ $0 = count.wrappedValue + 1 }, fileID: "Outer.swift", line: 11)
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("A read is nested in the withLock of the same value at Outer.swift:11"))
  }

  @Test func aDerivedPartIsTheSameValue() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let pair = Shared(value: Pair())
      pair.first.withLock { first in pair.second.withLock { first = $0 } }
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("is nested in the withLock of the same value"))
  }
}

private struct Pair {
  var first = 1
  var second = 2
}

/// A key that sends a value on demand, and answers at once or on demand.
private final class YieldingKey: SharedKey, @unchecked Sendable {
  private let answersAtOnce: Bool
  private var subscriber: SharedSubscriber<Int>?
  private var pendingLoad: LoadContinuation<Int>?
  private var pendingSave: SaveContinuation?

  var id: ObjectIdentifier { ObjectIdentifier(self) }

  func yield(_ value: Int) { subscriber?.yield(value) }
  func yieldNothing() { subscriber?.yieldReturningInitialValue() }
  func refresh() { subscriber?.refresh() }
  func answerLoad() { pendingLoad?.resume(returning: 1) }
  func answerSave() { pendingSave?.resume() }

  init(answersAtOnce: Bool = true) {
    self.answersAtOnce = answersAtOnce
  }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    guard answersAtOnce else { return pendingLoad = continuation }
    continuation.resumeReturningInitialValue()
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    self.subscriber = subscriber
    return SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    guard answersAtOnce else { return pendingSave = continuation }
    continuation.resume()
  }
}

private struct NumberKey: SharedKey {
  let id = "number"

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    continuation.resumeReturningInitialValue()
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    continuation.resume()
  }
}
