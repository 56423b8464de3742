import Foundation
import Workloads

/// Executes commands, one per line, and answers each with a line:
///
///     list               names and operations, tab-separated; a line each, then an empty one
///     prepare INDEX      "ok", after the data of the workload is ready
///     run INDEX COUNT    the nanoseconds of COUNT iterations
///
/// `NativeBenchmarks bytes` prints the heap size of each footprint instead, and ends.
@main
struct NativeBenchmarks {
  static func main() {
    if CommandLine.arguments.dropFirst().first == "bytes" { return printFootprints() }
    becomeMultithreaded()
    var bench = Bench()
    while let line = readLine() {
      print(bench.answer(line))
      fflush(nil)
    }
  }

  private static func printFootprints() {
    for footprint in Footprint.all {
      _ = footprint.measure()  // creates the objects that are created only once
      print("\(footprint.name)\t\(footprint.measure())")
    }
  }

  /// glibc takes shortcuts in a program that never had a second thread: a lock and an unlock take 5
  /// ns then, and 13 ns otherwise.
  private static func becomeMultithreaded() {
    Thread.detachNewThread { while true { sleep(1000) } }
  }
}

/// The workloads by index.
private struct Bench {
  private let workloads: [Workload] = {
    let native = [
      Workload.locks, Workload.observables, Workload.threads, Workload.foundation,
    ]
    return native.flatMap { $0 } + Workload.all + Workload.folder
  }()
  private var prepared: [Int: Workload.Run] = [:]
  private let clock = ContinuousClock()

  mutating func answer(_ line: String) -> String {
    let words = line.split(separator: " ")
    let numbers = words.dropFirst().compactMap { Int($0) }
    switch (words.first, numbers.count) {
    case ("list", 0):
      return workloads.map { "\($0.name)\t\($0.operations)\n" }.joined()
    case ("prepare", 1):
      prepared[numbers[0]] = workloads[numbers[0]].prepare()
      return "ok"
    case ("run", 2):
      return "\(nanoseconds(of: prepared[numbers[0]]!, numbers[1]))"
    default:
      return "unknown command: \(line)"
    }
  }

  private func nanoseconds(of run: Workload.Run, _ iterations: Int) -> Int {
    let duration = clock.measure { run(iterations) }
    return Int(duration / .nanoseconds(1))
  }
}
