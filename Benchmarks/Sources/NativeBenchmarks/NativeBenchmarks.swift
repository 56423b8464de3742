import Foundation
import Workloads

/// Does what it is told, a line at a time, and answers with a line:
///
///     list                 names and operations, tab-separated, an empty line at the end
///     prepare INDEX        ok
///     run INDEX COUNT      the nanoseconds that COUNT iterations have taken
///     forget INDEX         ok
///
/// `NativeBenchmarks bytes` prints what each footprint takes of the heap instead, and ends.
@main
struct NativeBenchmarks {
  static func main() {
    if CommandLine.arguments.dropFirst().first == "bytes" { return printFootprints() }
    becomeMultithreaded()
    let own: [[Workload]] = [Workload.locks, Workload.threads, Workload.observables]
    var bench = Bench(own.flatMap { $0 } + Workload.all)
    while let line = readLine() {
      print(bench.answer(line))
      fflush(nil)
    }
  }

  private static func printFootprints() {
    for footprint in footprints {
      _ = footprint.measure()  // what is made once is there from now on
      print("\(footprint.name)\t\(footprint.measure())")
    }
  }

  /// glibc takes shortcuts in a program that never had a second thread.
  private static func becomeMultithreaded() {
    Thread.detachNewThread { while true { sleep(1000) } }
  }
}

struct Bench {
  private let workloads: [Workload]
  private var prepared: [Int: Workload.Run] = [:]
  private let clock = ContinuousClock()

  init(_ workloads: [Workload]) {
    self.workloads = workloads
  }

  mutating func answer(_ line: String) -> String {
    let words = line.split(separator: " ")
    let numbers = words.dropFirst().compactMap { Int($0) }
    switch (words.first, numbers.count) {
    case ("list", 0): return list
    case ("prepare", 1): prepared[numbers[0]] = workloads[numbers[0]].prepare()
    case ("forget", 1): prepared[numbers[0]] = nil
    case ("run", 2): return "\(time(prepared[numbers[0]]!, numbers[1]))"
    default: return "unknown: \(line)"
    }
    return "ok"
  }

  private var list: String {
    workloads.map { "\($0.name)\t\($0.operations)\n" }.joined()
  }

  private func time(_ run: Workload.Run, _ iterations: Int) -> Int64 {
    let duration = clock.measure { run(iterations) }
    return Int64(duration / .nanoseconds(1))
  }
}
