import SharingCore
import WasiStorage

extension SharingEnvironment {
  /// Returns an environment with every kind of key in memory, even if the process was given a
  /// folder.
  static func inMemory(
    reporting issue: @escaping @Sendable (SharingIssue) -> Void
  ) -> SharingEnvironment {
    let environment = SharingEnvironment()
    let stores = environment.stores
    stores.local = MemoryStore()
    stores.session = MemoryStore()
    stores.files = MemoryStore()
    stores.location = MemoryStore()
    stores.notice = nil
    environment.onIssue = issue
    return environment
  }
}
