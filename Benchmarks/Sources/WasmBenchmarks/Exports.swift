import SharingPage
import Workloads

// The host calls these functions after `_initialize`: it lists the workloads, prepares one, and
// times its runs.

private let workloads =
  Workload.all + (WasmBenchmarks.page != nil ? Workload.stored : Workload.folder)
nonisolated(unsafe) private var prepared: [Workload.Run?] = workloads.map { _ in nil }

/// Returns the number of workloads.
@_expose(wasm, "bench_count")
@c(bench_count)
public func count() -> Int32 {
  Int32(workloads.count)
}

/// Returns a workload's name as zero-terminated UTF-8.
@_expose(wasm, "bench_name")
@c(bench_name)
public func name(_ index: Int32) -> UnsafePointer<UInt8> {
  workloads[Int(index)].name.utf8Start
}

/// Returns the number of operations in an iteration of a workload.
@_expose(wasm, "bench_operations")
@c(bench_operations)
public func operations(_ index: Int32) -> Int32 {
  Int32(workloads[Int(index)].operations)
}

/// Prepares the data of a workload.
@_expose(wasm, "bench_prepare")
@c(bench_prepare)
public func prepare(_ index: Int32) {
  prepared[Int(index)] = workloads[Int(index)].prepare()
}

/// Runs a number of iterations of a prepared workload.
@_expose(wasm, "bench_run")
@c(bench_run)
public func run(_ index: Int32, _ iterations: Int32) {
  prepared[Int(index)]!(Int(iterations))
}
