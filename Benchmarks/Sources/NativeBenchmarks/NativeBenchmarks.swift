import Foundation
import Workloads

/// Does what it is told, a line at a time, and answers with a line:
///
///     list               names and operations, tab-separated; a line each, and an empty one
///     prepare INDEX      "ok", once what the workload works on is there
///     run INDEX COUNT    the nanoseconds that COUNT iterations have taken
///
/// `NativeBenchmarks bytes` prints what each footprint takes of the heap instead, and ends.
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
      _ = footprint.measure()  // what is made once is there from now on
      print("\(footprint.name)\t\(footprint.measure())")
    }
  }

  /// glibc takes shortcuts in a program that never had a second thread: a lock and an unlock take
  /// 5 ns there, and 13 ns otherwise.
  private static func becomeMultithreaded() {
    Thread.detachNewThread { while true { sleep(1000) } }
  }
}

/// The workloads, by their indices.
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
