import SharingCore
import WasiStorage

extension SharingEnvironment {
  /// An environment in which every kind of key is in memory, even where the process was given a
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
