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
