import SharingCore
import Testing

@Suite struct MissingElementTests {
  @Test func aPositionThatIsNotThereStopsAndNamesThePlace() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let numbers = Shared(value: [1, 2, 3])
      numbers[99, fileID: "App/Model.swift", line: 11].withLock { $0 = 4 }
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("App/Model.swift:11: Sharing: There is no element"))
    #expect(words.contains("the collection has 3"))
    #expect(words.contains("'$values[id: …]' is nil"))
  }

  @Test func thePlaceIsThatOfTheSubscript() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Shared(value: [1])[-1]
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("MissingElementTests.swift:17: Sharing: There is no element"))
  }

  @Test func aReaderStopsToo() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SharedReader(value: [1, 2, 3])[3, fileID: "App/Model.swift", line: 12]
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("App/Model.swift:12: Sharing: There is no element"))
  }

  @Test func thePositionsOfASliceAreItsOwn() async throws {
    let slice = Shared(value: [1, 2, 3][1...])
    slice[1].withLock { $0 = 5 }
    #expect(slice.wrappedValue == [5, 3])
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Shared(value: [1, 2, 3][1...])[0]
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("the collection has 2"))
  }
}
