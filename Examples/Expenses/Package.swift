// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Expenses",
  dependencies: [.package(name: "wasm-sharing", path: "../..")],
  targets: [
    .executableTarget(
      name: "Expenses",
      dependencies: [
        .product(name: "SharingPage", package: "wasm-sharing"),
        .product(name: "SmallLibc", package: "wasm-sharing"),  // a small allocator for wasm
      ]),
    .testTarget(
      name: "ExpensesTests",
      dependencies: [
        "Expenses",
        .product(name: "SharingSimulation", package: "wasm-sharing"),
        .product(name: "SharingTesting", package: "wasm-sharing"),
      ]),
  ]
)
