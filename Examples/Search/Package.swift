// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Search",
  dependencies: [.package(name: "wasm-sharing", path: "../..")],
  targets: [
    .executableTarget(
      name: "Search",
      dependencies: [
        .product(name: "SharingPage", package: "wasm-sharing"),
        .product(name: "SmallLibc", package: "wasm-sharing"),  // a small allocator for wasm
      ],
      swiftSettings: [.enableExperimentalFeature("Extern")]),  // see Fetcher.swift
    .testTarget(
      name: "SearchTests",
      dependencies: [
        "Search",
        .product(name: "SharingTesting", package: "wasm-sharing"),
      ]),
  ]
)
