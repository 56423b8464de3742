// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "wasm-sharing",
  products: [
    .library(name: "SharingCore", targets: ["SharingCore"]),
    .library(name: "WasiStorage", targets: ["WasiStorage"]),
    .library(name: "SharingTesting", targets: ["SharingTesting"]),
    .library(name: "SharingSimulation", targets: ["SharingSimulation"]),
    .executable(name: "WasmDemo", targets: ["WasmDemo"]),
  ],
  targets: [
    .target(name: "CHost"),
    .target(
      name: "SharingCore",
      swiftSettings: [.enableExperimentalFeature("Extern")]),  // write, see StandardError.swift
    .target(name: "WasiStorage", dependencies: ["SharingCore", "CHost"]),
    // For tests of programs, natively: it imports Swift Testing, which wasm does not have.
    .target(name: "SharingTesting", dependencies: ["SharingCore", "WasiStorage"]),
    // For tests of programs in many tabs, natively, with any test framework.
    .target(name: "SharingSimulation", dependencies: ["SharingCore", "WasiStorage"]),
    .executableTarget(name: "WasmDemo", dependencies: ["SharingCore", "WasiStorage", "CHost"]),
    // The demo's counter alone (its files are links to the demo's), for the smallest program there is.
    .executableTarget(name: "WasmCounter", dependencies: ["SharingCore", "WasiStorage", "CHost"]),

    // The portable suite: natively as Swift Testing's arguments, elsewhere as a small program.
    .target(
      name: "Conformance", dependencies: ["SharingCore", "WasiStorage"], path: "Tests/Conformance"),
    .executableTarget(
      name: "ConformanceRunner", dependencies: ["Conformance", "WasiStorage", "CHost"],
      path: "Tests/ConformanceRunner"),
    // A program with one value under each kind of key, for Tests/browser.
    .executableTarget(
      name: "KeyProgram", dependencies: ["SharingCore", "WasiStorage", "CHost"],
      path: "Tests/KeyProgram"),
    // What an enum of strings costs in wasm, and the same of numbers, for ./build.sh size.
    .executableTarget(
      name: "ThemeByName", dependencies: ["SharingCore", "WasiStorage", "CHost"],
      path: "Tests/SizePrograms/ThemeByName"),
    .executableTarget(
      name: "ThemeByNumber", dependencies: ["SharingCore", "WasiStorage", "CHost"],
      path: "Tests/SizePrograms/ThemeByNumber"),
    .testTarget(name: "ConformanceTests", dependencies: ["Conformance"]),
    .testTarget(name: "SharingCoreTests", dependencies: ["SharingCore"]),
    .testTarget(
      name: "SharingSimulationTests",
      dependencies: ["SharingCore", "SharingSimulation", "WasiStorage"]),
    .testTarget(
      name: "SharingTestingTests", dependencies: ["SharingCore", "SharingTesting", "WasiStorage"]),
    .testTarget(
      name: "WasiStorageTests", dependencies: ["SharingCore", "SharingTesting", "WasiStorage"]),
  ]
)
