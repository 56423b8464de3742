import Foundation
import PackagePlugin

/// `swift package wasm VERB`: runs build.sh of this package for the package that depends on it.
@main
struct WasmPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    // This file is Plugins/WasmPlugin/WasmPlugin.swift of the package, wherever that is.
    let script = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("build.sh")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["bash", script.path, "--package", context.package.directoryURL.path] + arguments
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 { throw Failure(status: process.terminationStatus) }
  }
}

/// What the script says before is all there is to say.
struct Failure: Error, CustomStringConvertible {
  let status: Int32
  var description: String { "build.sh has ended with status \(status)" }
}
