// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let package = Package(
  name: "wasm-sharing",
  products: [
    .library(name: "SharingCore", targets: ["SharingCore"]),
    .library(name: "WasiStorage", targets: ["WasiStorage"]),
    .library(name: "SharingCommits", targets: ["SharingCommits"]),
    .library(name: "SharingPage", targets: ["SharingPage"]),
    .library(name: "SharingNATS", targets: ["SharingNATS"]),
    .library(name: "SharingTesting", targets: ["SharingTesting"]),
    .library(name: "SharingTestDoubles", targets: ["SharingTestDoubles"]),
    .library(name: "SharingSimulation", targets: ["SharingSimulation"]),
    .library(name: "SmallLibc", targets: ["SmallLibc"]),
    .library(name: "WasmCommand", targets: ["WasmCommand"]),
    .executable(name: "WasmDemo", targets: ["WasmDemo"]),
    .executable(name: "wasm", targets: ["WasmTool"]),
  ],
  targets: [
    .target(name: "CHost"),
    .target(name: "SmallLibc"),  // what a program may opt into: see SmallLibc.h
    .target(name: "WasmCommand"),
    .target(
      name: "SharingCore",
      swiftSettings: [.enableExperimentalFeature("Extern")]),  // write, see HostText.swift
    // Expands `@Stored`: a program for the computer that compiles, also in a build for wasm.
    .macro(name: "SharingMacros", dependencies: ["StoredExpansion"]),
    // Its code. A target of its own: if a test depends on a macro, SwiftPM builds all tests a
    // second time, for the tools.
    .target(name: "StoredExpansion"),
    .target(
      name: "SharingJSON", dependencies: ["SharingCore", "CHost", "SharingMacros"],
      swiftSettings: [.enableExperimentalFeature("Extern")]),  // strtod, see NumberText.swift
    .target(name: "WasiStorage", dependencies: ["SharingCore", "SharingJSON", "CHost"]),
    .target(name: "SharingCommits", dependencies: ["SharingCore", "WasiStorage", "CHost"]),
    .target(
      name: "SharingPage", dependencies: ["SharingCore", "SharingCommits", "WasiStorage", "CHost"],
      swiftSettings: [.enableExperimentalFeature("Extern")]),  // main, see Exports.swift
    // Extras/NATS. Values in a NATS server, for native programs.
    .target(
      name: "SharingNATS", dependencies: ["SharingCore", "SharingCommits", "WasiStorage"],
      path: "Extras/NATS/Sources/SharingNATS"),
    // For tests of programs, natively: it imports Swift Testing, which wasm does not have.
    .target(
      name: "SharingTesting",
      dependencies: [
        "SharingCore", "SharingTestDoubles", "SharingTestingStart", "SharingCommits", "SharingPage",
        "WasiStorage",
      ]),
    .target(name: "SharingTestingStart"),  // lets the one above begin before any test
    // Doubles of stores, clocks and pages for tests, on every host; SharingTesting re-exports them.
    .target(
      name: "SharingTestDoubles",
      dependencies: ["SharingCore", "SharingCommits", "SharingPage", "WasiStorage"]),
    // Random numbers, and the shrinker of the steps that are drawn from them: for all random tests,
    // on every host.
    .target(name: "RandomSteps", dependencies: ["SharingCore"]),
    // Extras/Simulation. A revision store whose messages wait, and other doubles of stores for tests,
    // on every host.
    .target(
      name: "SimulatedRevisions",
      dependencies: ["SharingCore", "SharingTestDoubles", "SharingCommits", "WasiStorage"],
      path: "Extras/Simulation/Sources/SimulatedRevisions"),
    // For tests of programs in many tabs, natively, with any test framework.
    .target(
      name: "SharingSimulation",
      dependencies: [
        "RandomSteps", "SharingCore", "SharingTestDoubles", "SimulatedRevisions", "SharingCommits",
        "WasiStorage",
      ],
      path: "Extras/Simulation/Sources/SharingSimulation"),
    // `swift run wasm serve`, for packages that depend on this one: see Tools/app.sh.
    .executableTarget(name: "WasmTool"),
    .executableTarget(
      name: "WasmDemo", dependencies: ["SharingPage", "SmallLibc", "WasmCommand"]),
    // The demo's counter alone, the smallest program there is.
    .executableTarget(name: "WasmCounter", dependencies: ["SharingPage", "SmallLibc"]),
    // Who has the demo's page open, at an address with a NATS server.
    .executableTarget(
      name: "WasmPresence", dependencies: ["SharingPage", "SmallLibc"],
      path: "Extras/NATS/Sources/WasmPresence"),

    // Programs over SimulatedRevisions, for the tests below.
    .target(
      name: "SimulatedPrograms",
      dependencies: [
        "SharingCore", "SharingTestDoubles", "SimulatedRevisions", "SharingCommits", "WasiStorage",
      ],
      path: "Tests/SimulatedPrograms"),
    // The portable suite: natively as Swift Testing's arguments, elsewhere as a program. Its cases of
    // commits run over SimulatedRevisions: tests may use an extra, the library's modules do not.
    .target(
      name: "Conformance",
      dependencies: [
        "CHost", "RandomSteps", "SharingCore", "SharingPage", "SharingTestDoubles",
        "SimulatedPrograms", "SimulatedRevisions", "SharingCommits", "WasiStorage",
      ],
      path: "Tests/Conformance"),
    .executableTarget(
      name: "ConformanceRunner",
      dependencies: ["Conformance", "SmallLibc", "WasmCommand"],
      path: "Tests/programs/ConformanceRunner"),
    // A program with one value under each kind of key, for Tests/browser; with wasi-libc as it is.
    .executableTarget(
      name: "KeyProgram", dependencies: ["SharingPage", "WasmCommand"],
      path: "Tests/programs/KeyProgram"),
    // Three releases of one app, for Tests/browser, and the page that they share.
    .target(
      name: "ReleasePage", dependencies: ["SharingPage"], path: "Tests/programs/ReleasePage"),
    .executableTarget(
      name: "FirstRelease", dependencies: ["ReleasePage", "SharingPage"],
      path: "Tests/programs/FirstRelease"),
    .executableTarget(
      name: "SecondRelease", dependencies: ["ReleasePage", "SharingPage"],
      path: "Tests/programs/SecondRelease"),
    .executableTarget(
      name: "ThirdRelease", dependencies: ["ReleasePage", "SharingPage"],
      path: "Tests/programs/ThirdRelease"),
    // One value for each kind of control, for Tests/browser.
    .executableTarget(
      name: "ControlsPage", dependencies: ["SharingPage"], path: "Tests/programs/ControlsPage"),
    // A program with stores of its own, which Tests/command runs as a command.
    .executableTarget(
      name: "PreparedProgram", dependencies: ["SharingPage"],
      path: "Tests/programs/PreparedProgram"),
    // A program that a loader of the tests runs, beside C code that calls it.
    .target(name: "LoaderPage", path: "Tests/programs/LoaderPage"),
    .executableTarget(
      name: "LoaderProgram", dependencies: ["LoaderPage", "SharingCore", "WasiStorage"],
      path: "Tests/programs/LoaderProgram"),
    // What a counter costs in wasm without SharingPage, for ./build.sh size.
    .executableTarget(
      name: "LoaderCounter",
      dependencies: ["LoaderPage", "SharingCore", "SmallLibc", "WasiStorage"],
      path: "Tests/programs/LoaderCounter"),
    // Counts in a NATS server.
    .executableTarget(
      name: "NATSProgram",
      dependencies: [
        "SharingCore", "SharingNATS", "SharingTestDoubles", "SharingCommits", "WasiStorage",
      ],
      path: "Extras/NATS/Tests/NATSProgram"),
    // What a counter that loses nothing costs in wasm, for ./build.sh size.
    .executableTarget(
      name: "CommittedCounter", dependencies: ["SharingPage", "SmallLibc"],
      path: "Tests/programs/CommittedCounter"),
    // How often random tests run, and a store that they have to find broken, for the native ones.
    .target(
      name: "NativeTesting",
      dependencies: ["SharingCore", "SimulatedRevisions", "SharingCommits", "WasiStorage"],
      path: "Tests/native/NativeTesting"),
    // All sequences of events of two programs that commit, up to a length; and as a program.
    .target(
      name: "CommitExploration",
      dependencies: [
        "RandomSteps", "SharingCore", "SimulatedPrograms", "SimulatedRevisions", "SharingCommits",
        "WasiStorage",
      ],
      path: "Tests/native/CommitExploration"),
    .executableTarget(
      name: "CommitExplorer", dependencies: ["CommitExploration"],
      path: "Tests/programs/CommitExplorer"),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "CommitExploration", "Conformance", "NativeTesting", "SharingCore", "SimulatedPrograms",
        "SimulatedRevisions", "SharingCommits", "WasiStorage",
      ],
      path: "Tests/native/ConformanceTests"),
    .testTarget(
      name: "SharingCoreTests", dependencies: ["NativeTesting", "RandomSteps", "SharingCore"],
      path: "Tests/native/SharingCoreTests"),
    .testTarget(
      name: "SharingPageTests", dependencies: ["SharingPage", "SharingTesting"],
      path: "Tests/native/SharingPageTests"),
    .testTarget(
      name: "SharingSimulationTests",
      dependencies: [
        "NativeTesting", "SharingCore", "SharingSimulation", "SharingCommits",
        "SimulatedRevisions", "WasiStorage",
      ],
      path: "Extras/Simulation/Tests/SharingSimulationTests"),
    .testTarget(
      name: "SharingTestingTests",
      dependencies: [
        "SharingCore", "SharingTesting", "SharingCommits", "SharingPage", "WasiStorage",
      ],
      path: "Tests/native/SharingTestingTests"),
    // `@Stored`: the generated code, the refusals, and the JSON of its types.
    .testTarget(
      name: "StoredTests",
      dependencies: ["RandomSteps", "SharingCore", "StoredExpansion", "WasiStorage"],
      path: "Tests/native/StoredTests"),
    .testTarget(
      name: "WasiStorageTests",
      dependencies: [
        "Conformance", "NativeTesting", "RandomSteps", "SharingCore", "SharingTesting",
        "SimulatedRevisions", "SharingCommits", "WasiStorage",
      ],
      path: "Tests/native/WasiStorageTests"),
  ]
)
