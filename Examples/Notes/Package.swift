// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Notes",
  dependencies: [.package(name: "wasm-sharing", path: "../..")],
  targets: [
    .executableTarget(
      name: "Notes",
      dependencies: [
        .product(name: "SharingPage", package: "wasm-sharing"),
        .product(name: "SmallLibc", package: "wasm-sharing"),  // a small allocator for wasm
      ],
      swiftSettings: [.enableExperimentalFeature("Extern")]),  // see WordCount.swift
    .testTarget(
      name: "NotesTests",
      dependencies: [
        "Notes",
        .product(name: "SharingSimulation", package: "wasm-sharing"),
        .product(name: "SharingTesting", package: "wasm-sharing"),
      ]),
  ]
)
