import Foundation
import SharingCore
import SharingTesting
import Testing
import WasiStorage

/// Tests leave nothing on the disk and nothing for each other.
@Suite(.sharing) struct IsolationTests {
  @Test func everyKindOfKeyIsInMemoryWithTheTrait() {
    expectMemory(SharingEnvironment.current.stores)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["SHARING_DIR"] == nil))
  func everyKindOfKeyIsInMemoryWithoutTheTrait() {
    expectMemory(SharingEnvironment().stores)
    #expect(DocumentStore() == nil)
    #expect(FileStore() == nil)
  }

  @Test func aTestIsKnownAsOne() {
    #expect(isTesting)
  }

  @Test func theDiskStaysUntouched() async {
    await #expect(processExitsWith: .success) {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      let home = folder.appending(path: "home")
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      unsetenv("SHARING_DIR")
      setenv("HOME", home.path, 1)
      setenv("XDG_DOCUMENTS_DIR", home.path, 1)
      precondition(chdir(folder.path) == 0)
      changeEveryKindOfKey(in: folder)
      SharingEnvironment().run { changeEveryKindOfKey(in: folder) }
      #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path) == ["home"])
    }
  }

  @Test func aFolderThatATestNamesIsUsed() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    SharingEnvironment.current.stores.files = DocumentStore(folder: UTF8Text(folder.path))
    @Shared(.fileStorage("count.json")) var count = 0
    $count.withLock { $0 += 1 }
    let file = folder.appending(path: "count.json")
    #expect(try String(contentsOf: file, encoding: .utf8) == "1")
  }

  @Test func valuesThatTestsShareAreSaidOnce() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      SharingEnvironment().run { _ = Shared(wrappedValue: 0, .inMemory("own"), line: 1) }
      _ = Shared(value: 0)
      _ = Shared(wrappedValue: 0, .inMemory("first"), fileID: "Tests/CountTests.swift", line: 2)
      _ = Shared(wrappedValue: 0, .localStorage("second"), line: 3)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let issues = text.split(separator: "\n").filter { $0.contains("Sharing: ") }
    #expect(issues.count == 1)
    #expect(issues.first?.hasPrefix("Tests/CountTests.swift:2: ") == true)
    #expect(issues.first?.contains("SharingTesting") == true)
  }

  private func expectMemory(_ stores: DefaultStores) {
    for store in [stores.local, stores.session, stores.files, stores.location] {
      #expect(store is MemoryStore)
    }
  }
}

/// Changes a value under each kind of key, and writes debounced changes.
private func changeEveryKindOfKey(in folder: URL) {
  change(Shared(wrappedValue: 0, .localStorage("count")))
  change(Shared(wrappedValue: 0, .localStorage("late", saving: .debounced(milliseconds: 1))))
  change(Shared(wrappedValue: 0, .appStorage("setting")))
  change(Shared(wrappedValue: 0, .sessionStorage("count")))
  change(Shared(wrappedValue: 0, .inMemory("count")))
  change(Shared(wrappedValue: 0, .fileStorage("count.json")))
  change(Shared(wrappedValue: 0, .fileStorage("a/b/count.json")))
  change(Shared(wrappedValue: 0, .fileStorage(folder.appending(path: "absolute.json").path)))
  change(Shared(wrappedValue: 0, .fileStorage(folder.appending(path: "url.json"))))
  change(Shared(wrappedValue: 0, .fileStorage(.documentsDirectory.appending(path: "users.json"))))
  Shared(wrappedValue: "", .locationHash).withLock { $0 = "/" }
  SharingEnvironment.current.stores.flush()
}

private func change(_ number: Shared<Int>) {
  number.withLock { $0 += 1 }
  precondition(number.saveError == nil)
}

/// Prepares the environment before the creation of a suite's stored properties.
@Suite(.sharing { $0.stores.local = storeWithACount() }) struct PreparedSuiteTests {
  @Shared(.localStorage("count")) var count = 0

  @Test(arguments: 1...2) func storedPropertiesFindIt(_: Int) {
    #expect(count == 7)
    $count.withLock { $0 += 1 }
  }

  @Test(.sharing { try $0.stores.local.set(Array("9".utf8), for: KeyName("count")) })
  func aTestsOwnTraitAddsToIt() {
    #expect(count == 9)
  }

  @Test(.sharing(exhaustivity: .on)) func andMayAskForMore() {
    #expect(count == 7)
    $count.withLock { $0 += 1 }
    $count.assert { $0 = 8 }
  }

  @Suite(.sharing(exhaustivity: .on)) struct Exhaustive {
    @Test(.sharing { _ in }) func aTraitWithoutExhaustivityLeavesItAsItIs() {
      #expect(SharedChangeTracker.current != nil)
      @Shared(.localStorage("count")) var count = 0
      #expect(count == 7)
    }
  }
}

private func storeWithACount() -> MemoryStore {
  let store = MemoryStore()
  store.set(Array("7".utf8), for: KeyName("count"))
  return store
}
