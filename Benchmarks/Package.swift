// swift-tools-version: 6.2
import PackageDescription

let sharing: [Target.Dependency] = [
  .product(name: "SharingCommits", package: "wasm-sharing"),
  .product(name: "SharingCore", package: "wasm-sharing"),
  .product(name: "WasiStorage", package: "wasm-sharing"),
]

let package = Package(
  name: "wasm-sharing-benchmarks",
  dependencies: [.package(name: "wasm-sharing", path: "..")],
  targets: [
    // Full Swift and Embedded Swift.
    .target(name: "Workloads", dependencies: ["CSystem"] + sharing),
    .executableTarget(
      name: "WasmBenchmarks",
      dependencies: ["Workloads"] + sharing + [
        .product(name: "SmallLibc", package: "wasm-sharing"),
        .product(name: "SharingPage", package: "wasm-sharing"),
        .product(name: "WasmCommand", package: "wasm-sharing"),
      ]),
    .target(name: "CSystem"),
    .executableTarget(
      name: "NativeBenchmarks", dependencies: ["Workloads", "CSystem"] + sharing),
  ]
)
