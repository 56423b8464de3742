// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "wasm-sharing",
  products: [
    .library(name: "SharingCore", targets: ["SharingCore"]),
  ],
  targets: [
    .target(
      name: "SharingCore",
      swiftSettings: [.enableExperimentalFeature("Extern")]),  // write, see StandardError.swift
    .testTarget(name: "SharingCoreTests", dependencies: ["SharingCore"]),
  ]
)
