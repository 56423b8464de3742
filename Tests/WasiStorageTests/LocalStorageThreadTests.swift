import Foundation
import SharingCore
import Testing
import WasiStorage

@Suite struct LocalStorageThreadTests {
  @Test func manyThreadsLoseNoStoredIncrementInMemory() async {
    await expectNoLoss(in: MemoryStore(), threads: 8, increments: 200)
  }

  @Test func manyThreadsLoseNoStoredIncrementInFiles() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    await expectNoLoss(in: FileStore(folder: UTF8Text(folder.path)), threads: 4, increments: 25)
  }

  @Test func wrappersThatComeAndGoOnManyThreadsLoseNothing() async {
    let store = MemoryStore()
    let environment = SharingEnvironment()
    environment.stores.local = store
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...4 {
        group.addTask {
          environment.run {
            for _ in 1...500 {
              @Shared(.localStorage("count")) var count = 0
              _ = count
            }
          }
        }
      }
    }
    #expect(store.bytes(for: KeyName("count")) == nil)
  }

  @Test func whoeverComesFirstSeesTheStoredValue() async {
    let store = MemoryStore()
    store.set(Array("42".utf8), for: KeyName("count"))
    for _ in 1...50 {
      let environment = SharingEnvironment()
      environment.stores.local = store
      let seen = await withTaskGroup(of: Int.self) { group in
        for _ in 1...4 {
          group.addTask {
            environment.run { Shared(wrappedValue: 0, .localStorage("count")).wrappedValue }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(seen == [42, 42, 42, 42])
    }
  }

  @Test func aThreadThatLoadsTakesNoIncrementAway() async {
    for _ in 1...20 { await expectNoLoss(in: MemoryStore(), threads: 4, increments: 50, loads: 50) }
  }

  private func expectNoLoss(
    in store: any KeyValueStore, threads: Int, increments: Int, loads: Int = 0
  ) async {
    let environment = SharingEnvironment()
    environment.stores.local = store
    let count = environment.run { Shared(wrappedValue: 0, .localStorage("count")) }
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...threads {
        group.addTask { for _ in 1...increments { count.withLock { $0 += 1 } } }
      }
      group.addTask { for _ in 0..<loads { count.load() } }
    }
    #expect(count.wrappedValue == threads * increments)
    let bytes = try? store.bytes(for: KeyName("count"))
    #expect(bytes.map { String(decoding: $0, as: UTF8.self) } == "\(threads * increments)")
    #expect(count.saveError == nil)
  }
}
