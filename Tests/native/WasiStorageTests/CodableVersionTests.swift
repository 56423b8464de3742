import Foundation
import SharingCore
import Testing
import WasiStorage

@Suite struct CodableVersionTests {
  /// The settings of the third version: a type for Foundation's coders only.
  private struct Settings: Codable, Equatable {
    var theme = "light"
    var size = 12
  }

  private struct OlderSettings: Codable {
    var isDark: Bool
    var size: Int
  }

  private static let migrations = [
    StorageMigration(from: 1) { (isDark: Bool) in OlderSettings(isDark: isDark, size: 12) },
    StorageMigration(from: 2) { (old: OlderSettings) throws in
      guard old.size > 0 else { throw CocoaError(.coderInvalidValue) }
      return Settings(theme: old.isDark ? "dark" : "light", size: old.size)
    },
  ]

  private let store = MemoryStore()

  private func settings() -> Shared<Settings> {
    let environment = SharingEnvironment()
    environment.stores.local = store
    return environment.run {
      Shared(
        wrappedValue: Settings(),
        .localStorage("settings", version: 3, migrations: Self.migrations))
    }
  }

  @Test func anErrorOfACodingsOwnIsDamageFromTheStart() {
    let coding = StorageCoding<Int>(
      encode: { _ in [] }, decode: { _ throws in throw CocoaError(.coderInvalidValue) })
    put("7")
    let environment = SharingEnvironment()
    environment.stores.local = store
    let number = environment.run {
      Shared(wrappedValue: 1, .localStorage("settings", coding: coding))
    }
    #expect((number.loadError as? StorageError)?.reason == .unreadable(offset: 0))
    #expect(stored() == "7")
  }

  private func put(_ text: String) {
    store.set(Array(text.utf8), for: KeyName("settings"))
  }

  private func stored(_ key: String = "settings") -> String? {
    store.bytes(for: KeyName(key)).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    ("true", Settings(theme: "dark", size: 12)),
    (#"{"$version":2,"value":{"isDark":true,"size":9}}"#, Settings(theme: "dark", size: 9)),
    (#"{"$version":3,"value":{"size":8,"theme":"blue"}}"#, Settings(theme: "blue", size: 8)),
  ])
  private func anOlderVersionIsMigrated(text: String, value: Settings) {
    put(text)
    #expect(settings().wrappedValue == value)
    #expect(stored() == text)
  }

  @Test func aFileInTwoVersionsIsTwoValuesAndOneStaysAsItWas() {
    let environment = SharingEnvironment()
    environment.stores.files = store
    let issues = Shared<[UTF8Text]>(value: [])
    environment.onIssue = { issue in issues.withLock { $0.append(issue.message) } }
    environment.run {
      @Shared(.fileStorage("settings", coding: .codable(version: 2))) var settings = Settings()
      @Shared(.fileStorage("settings")) var plain = Settings()
      $plain.withLock { $0.size = 1 }
      #expect(settings == Settings())
      @Shared(.fileStorage("/settings", coding: .codable(version: 2))) var first = Settings()
      @Shared(.fileStorage(URL(fileURLWithPath: "/settings"))) var second = Settings()
      $second.withLock { $0.size = 1 }
      #expect(first == Settings())
    }
    #expect(stored() == #"{"size":1,"theme":"light"}"#)
    #expect(stored("/settings") == #"{"size":1,"theme":"light"}"#)
    #expect(issues.wrappedValue == [])
  }

  @Test func whatWasMigratedIsWrittenWithTheNextChange() {
    put("true")
    settings().size.withLock { $0 = 20 }
    #expect(stored() == #"{"$version":3,"value":{"size":20,"theme":"dark"}}"#)
  }

  @Test(arguments: [
    #"{"$version":4,"value":"of another kind"}"#,
    #"{"$version":2,"value":{"isDark":true,"size":0}}"#,
  ])
  func aNewerVersionAndOneThatCannotBeMigratedAreLeftAlone(text: String) {
    put(text)
    let settings = settings()
    #expect(settings.wrappedValue == Settings())
    #expect(settings.loadError != nil)
    settings.withLock { $0.size = 1 }
    #expect(settings.saveError != nil)
    #expect(stored() == text)
  }

  @Test(arguments: [
    "tru", #"{"$version":3,"value":{}} x"#,
  ])
  func damageIsKeptAside(text: String) {
    put(text)
    let settings = settings()
    #expect(settings.wrappedValue == Settings())
    settings.withLock { $0.size = 1 }
    #expect(stored("settings.corrupt") == text)
    #expect(stored() == #"{"$version":3,"value":{"size":1,"theme":"light"}}"#)
  }

  @Test(arguments: ["7", #"{"$version":2,"value":{"isDark":1}}"#])
  func otherJSONIsNotOverwritten(text: String) {
    put(text)
    let settings = settings()
    settings.withLock { $0.size = 1 }
    #expect(stored() == text)
    #expect(settings.saveError != nil)
  }
}
