import Foundation
import SharingCore
import Testing
import WasiStorage

@Suite(.enabled(if: ProcessInfo.processInfo.environment["SHARING_DIR"] == nil))
struct DefaultStoresTests {
  @Test func aTestThatIsGivenNoFolderKeepsValuesInMemory() {
    let environment = SharingEnvironment()
    #expect(environment.stores.local is MemoryStore)
    #expect(environment.stores.session is MemoryStore)
    #expect(environment.stores.notice != nil)
    #expect(FileStore() == nil)
  }

  @Test func aTestThatIsGivenAFolderUsesIt() async {
    await #expect(processExitsWith: .success) {
      setenv("SHARING_DIR", "state", 1)
      precondition(SharingEnvironment().stores.local is FileStore)
    }
  }
}
