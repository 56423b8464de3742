import Foundation
import RandomSteps
import SharingCore
import Testing
import WasiStorage

/// Ids natively: `Codable`, `String`, threads.
@Suite struct UniqueIDTests {
  private let id = UniqueID("01ARZ3NDEKTSV4RRFFQ69G5FAV")!

  @Test func anIDHasTheSameJSONAsACodableValue() throws {
    let json = Data(#"["01ARZ3NDEKTSV4RRFFQ69G5FAV"]"#.utf8)
    #expect(try JSONEncoder().encode([id]) == json)
    #expect(try JSON.encode([id]) == Array(json))
    #expect(try JSONDecoder().decode([UniqueID].self, from: json) == [id])
  }

  @Test func anIDIsTheKeyOfADictionaryForCodable() throws {
    let json = Data(#"{"01ARZ3NDEKTSV4RRFFQ69G5FAV":2}"#.utf8)
    #expect(try JSONEncoder().encode([id: 2]) == json)
    #expect(try JSON.encode([id: 2]) == Array(json))
    #expect(try JSONDecoder().decode([UniqueID: Int].self, from: json) == [id: 2])
  }

  @Test(arguments: ["", "01ARZ3NDEKTSV4RRFFQ69G5FA", "01ARZ3NDEKTSV4RRFFQ69G5FAU"])
  func otherTextIsADecodingError(text: String) {
    let value = Data("[\"\(text)\"]".utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([UniqueID].self, from: value) }
    let key = Data("{\"\(text)\":1}".utf8)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([UniqueID: Int].self, from: key)
    }
  }

  @Test func aStringOfAnIDIsReadAgain() {
    #expect("\(id)" == "01ARZ3NDEKTSV4RRFFQ69G5FAV")
    #expect(UniqueID(UTF8Text(id.description)) == id)
  }

  @Test func threadsMakeDifferentIDs() async {
    let ids = await withTaskGroup(of: [UniqueID].self) { group in
      for _ in 0..<8 {
        group.addTask {
          let ids = (0..<1000).map { _ in UniqueID() }
          #expect(ids == ids.sorted())
          return ids
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(ids).count == 8000)
  }

  @Test func anIDFollowsTheOneBeforeItInAMillisecond() {
    let environment = SharingEnvironment()
    environment.makeIDs(
      at: { Timestamp(millisecondsSince1970: 5) }, using: Numbers(all: [.max, .max]))
    let ids = environment.run { (0..<2).map { _ in UniqueID() } }
    let time = Timestamp(millisecondsSince1970: 5)
    #expect(ids[0] == UniqueID(time: time, randomBits: .max, firstRandomBits: 0xFFFF))
    #expect(ids[1] > ids[0])
    #expect(ids[1].time.millisecondsSince1970 == 6)
  }

  @Test func anEnvironmentThatIsGivenItsRandomNumbersMakesTheSameIDsAgain() {
    let ids = (0..<2).map { _ in
      let environment = SharingEnvironment()
      environment.makeIDs(
        at: { Timestamp(millisecondsSince1970: 5) }, using: SplitMix64(seed: 7))
      return environment.run { (0..<3).map { _ in UniqueID() } }
    }
    #expect(ids[0] == ids[1])
    #expect(Set(ids[0]).count == 3)
  }

  /// Random numbers of a test.
  private struct Numbers: RandomNumberGenerator {
    var all: [UInt64]

    mutating func next() -> UInt64 { all.removeFirst() }
  }
}
