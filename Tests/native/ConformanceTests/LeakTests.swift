#if os(Linux) && !THREAD_SANITIZER
  import Conformance
  import Foundation
  import SharingCore
  import Testing
  import WasiStorage

  @Suite struct LeakTests {
    /// Runs in its own process, so that no other test allocates memory meanwhile. Each round
    /// creates about forty wrappers, derivations, subscriptions and tokens: more than 100,000 in
    /// all.
    @Test func whatIsMadeAndDroppedLeavesNoMemoryBehind() async {
      await #expect(processExitsWith: .success) {
        for churn in churns { for _ in 1...500 { churn.run() } }
        for churn in churns {
          // A leak grows the heap each time, the allocator's own blocks only sometimes.
          let growths = (1...3).map { _ in growth(of: 1500, churn.run) }
          // The smallest block is 32 bytes, one of them in each round is 48,000.
          #expect(growths.min()! < 40_000, "bytes that 1,500 rounds of \(churn.name) leave behind")
        }
      }
    }

    @Test func asynchronousSequencesThatEndLeaveNoMemoryBehind() async {
      await #expect(processExitsWith: .success) {
        let count = Shared(value: 0)
        let run = { _ = count.publisher.values }
        for _ in 1...500 { run() }
        let growths = (1...3).map { _ in growth(of: 1500, run) }
        #expect(growths.min()! < 40_000, "bytes that 1,500 sequences leave behind")
      }
    }

    /// Each thread has its own lists of work for the end of a turn.
    @Test func threadsThatEndLeaveNoMemoryBehind() async {
      await #expect(processExitsWith: .success) {
        for _ in 1...500 { onThread(changeObservedAndStored) }
        let growths = (1...3).map { _ in growth(of: 1500) { onThread(changeObservedAndStored) } }
        #expect(growths.min()! < 40_000, "bytes that 1,500 threads leave behind")
      }
    }
  }

  private func changeObservedAndStored() {
    let count = Shared(wrappedValue: 0, .appStorage("count", store: MemoryStore()))
    let token = observe { _ = count.wrappedValue }
    for _ in 1...2 { count.withLock { $0 += 1 } }
    batch { token.cancel() }
  }

  /// Runs a closure on a new thread, and waits for the thread's end.
  private func onThread(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Body(run: body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { context in
        Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    precondition(code == 0, "a thread could not be made: \(code)")
    pthread_join(thread, nil)
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  private func growth(of rounds: Int, _ run: () -> Void) -> Int {
    let before = residentBytes()
    for _ in 1...rounds { run() }
    return residentBytes() - before
  }

  /// The process's private memory, without the pages of its program's files, which the system loads
  /// and drops at any time.
  private func residentBytes() -> Int {
    let status = try! String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }!
    return Int(line.split(whereSeparator: { !$0.isNumber })[0])! * 1024
  }
#endif
