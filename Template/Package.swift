// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "MyApp",
  dependencies: [.package(name: "wasm-sharing", path: "..")],
  targets: [
    .executableTarget(
      name: "MyApp",
      dependencies: [
        .product(name: "SharingPage", package: "wasm-sharing"),
        .product(name: "SmallLibc", package: "wasm-sharing"),  // a small allocator for wasm
        .product(name: "WasmCommand", package: "wasm-sharing"),  // for a CommandApp
      ]),
    .testTarget(
      name: "MyAppTests",
      dependencies: ["MyApp", .product(name: "SharingTesting", package: "wasm-sharing")]),
  ]
)
