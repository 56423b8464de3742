// swift-tools-version: 6.2
import PackageDescription

// Apart from the library, since it links with libFuzzer only: ./build.sh fuzz
let package = Package(
  name: "fuzz",
  dependencies: [.package(name: "wasm-sharing", path: "../..")],
  targets: [
    .executableTarget(name: "Fuzz", dependencies: ["Target"]),
    .target(
      name: "Target", dependencies: [.product(name: "WasiStorage", package: "wasm-sharing")]),
  ]
)
