import Foundation
import NativeTesting
import SharingCore
import Testing

/// Several threads perform random actions on shared values, each from a seed. Afterwards no change
/// is lost, memory and stores agree, and observers have read the last values.
///
/// Six walks have fixed seeds, two others depend on SHARING_WALK_SEED; multiplied by SHARING_TIMES.
@Suite struct ThreadWalkTests {
  @Test(arguments: seeds)
  func threadsLoseNothing(seed: UInt64) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let world = ThreadWorld(folder: folder.path, seed: seed)
    let walks = (0..<4).map { ThreadSteps(seed: seed << 8 | UInt64($0), thread: $0) }
    let actors = walks.map { ThreadActor(world, $0) }
    let isOver = runThreads(4) { actors[$0].run() } && world.settle()
    guard isOver else {
      // Deadlocked threads cannot be ended.
      fatalError("The walk of threads from seed \(seed) has come to no end.")
    }
    let problems = world.problems(after: walks)
    #expect(problems == [], "from seed \(seed)")
    world.end()
  }
}

private let seeds: [UInt64] = {
  let environment = ProcessInfo.processInfo.environment
  let first = 1000 * (environment["SHARING_WALK_SEED"].flatMap { UInt64($0) } ?? 1)
  return Array(1...6 * UInt64(times)) + Array(first..<first + 2 * UInt64(times))
}()

/// Calls a closure on several threads at once, and waits for their ends.
/// - Returns: Whether all have ended within an ample time.
func runThreads(_ count: Int, _ body: @escaping @Sendable (_ number: Int) -> Void) -> Bool {
  let (start, ends) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  for number in 0..<count {
    Thread.detachNewThread {
      start.wait()
      body(number)
      ends.signal()
    }
  }
  for _ in 0..<count { start.signal() }
  return (0..<count).allSatisfy { _ in ends.wait(timeout: .now() + 120) == .success }
}
