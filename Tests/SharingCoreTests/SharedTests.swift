import SharingCore
import Testing

@Suite struct SharedTests {
  @Test func manyThreadsLoseNoIncrement() async {
    let count = Shared(value: 0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...1000 {
        group.addTask { for _ in 1...10 { count.withLock { $0 += 1 } } }
      }
    }
    #expect(count.wrappedValue == 10_000)
  }
}
