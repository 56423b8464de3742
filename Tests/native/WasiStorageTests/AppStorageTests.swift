import Foundation
import SharingCore
import Testing
import WasiStorage

/// Values of `.appStorage` that only native programs can use.
@Suite struct AppStorageTests {
  private let store = MemoryStore()

  @Test func aCodableValueIsKeptAsJSON() {
    @Shared(.appStorage("settings", store: store)) var settings = Settings()
    @Shared(.appStorage("numbers", store: store)) var numbers = [1, 2]
    @Shared(.appStorage("perhaps", store: store)) var perhaps: Settings?
    $settings.withLock { $0.size = 3 }
    $numbers.withLock { $0.append(3) }
    $perhaps.withLock { $0 = Settings(size: 5) }
    #expect(text("settings") == #"{"size":3}"#)
    #expect(text("numbers") == "[1,2,3]")
    #expect(text("perhaps") == #"{"size":5}"#)
    $perhaps.withLock { $0 = nil }
    #expect(text("perhaps") == nil)
  }

  @Test func anEnumThatIsCodableIsKeptAsJSON() {
    @Shared(.appStorage("theme", store: store)) var theme = Theme.light
    @Shared(.appStorage("perhaps", store: store)) var perhaps: Theme?
    $theme.withLock { $0 = .dark }
    $perhaps.withLock { $0 = .dark }
    #expect(text("theme") == #""dark""#)
    #expect(text("perhaps") == #""dark""#)
  }

  @Test func foundationsTypesAreKeptAsCodableWritesThem() {
    @Shared(.appStorage("data", store: store)) var data = Data()
    @Shared(.appStorage("date", store: store)) var date = Date.distantPast
    @Shared(.appStorage("page", store: store)) var page: URL?
    @Shared(.appStorage("id", store: store)) var id: UUID?
    $data.withLock { $0 = Data([0, 0xFF]) }
    $date.withLock { $0 = Date(timeIntervalSinceReferenceDate: 0.5) }
    $page.withLock { $0 = URL(string: "https://example.com/a") }
    $id.withLock { $0 = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") }
    #expect(text("data") == #""AP8=""#)
    #expect(text("date") == "0.5")
    #expect(text("page") == #""https://example.com/a""#)
    #expect(text("id") == #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#)
    SharingEnvironment().run {
      @Shared(.appStorage("data", store: store)) var data = Data()
      @Shared(.appStorage("date", store: store)) var date = Date.distantPast
      #expect(data == Data([0, 0xFF]))
      #expect(date == Date(timeIntervalSinceReferenceDate: 0.5))
    }
  }

  @Test func aTimestampIsADateToTheMillisecond() {
    let date = Date(timeIntervalSince1970: 1_767_225_600.1234)
    let timestamp = Timestamp(date)
    #expect(timestamp.millisecondsSince1970 == 1_767_225_600_123)
    #expect(Timestamp(Date(timestamp)) == timestamp)
    #expect(Timestamp(Date(timeIntervalSince1970: -0.001)).millisecondsSince1970 == -1)
    #expect(abs(Date(Timestamp.now).timeIntervalSinceNow) < 3600)
  }

  @Test(arguments: [(Double.infinity, Int64.max), (-1e300, .min), (.nan, .min)])
  func aDateBeyondAllTimestampsIsTheLastOne(_ seconds: Double, _ milliseconds: Int64) {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(Timestamp(date).millisecondsSince1970 == milliseconds)
  }

  @Test func aDayIsItsTextInCodableValues() throws {
    let days = [try #require(LocalDate(year: 2026, month: 2, day: 28))]
    let data = try JSONEncoder().encode(days)
    #expect(String(decoding: data, as: UTF8.self) == #"["2026-02-28"]"#)
    #expect(try JSONDecoder().decode([LocalDate].self, from: data) == days)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([LocalDate].self, from: Data(#"["2026-02-30"]"#.utf8))
    }
  }

  @Test func aTimestampIsANumberInCodableValues() throws {
    let timestamps = [Timestamp(millisecondsSince1970: 5)]
    let data = try JSONEncoder().encode(timestamps)
    #expect(String(decoding: data, as: UTF8.self) == "[5]")
    #expect(try JSONDecoder().decode([Timestamp].self, from: data) == timestamps)
  }

  private func text(_ key: String) -> String? {
    store.bytes(for: KeyName(key)).map { String(decoding: $0, as: UTF8.self) }
  }
}

private struct Settings: Codable {
  var size = 1
}

private enum Theme: String, Codable, CaseIterable { case light, dark }
