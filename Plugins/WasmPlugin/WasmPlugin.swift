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
    try startInterruptibly(process)
    process.waitUntilExit()
    if process.terminationStatus != 0 { throw Failure(status: process.terminationStatus) }
  }
}

/// Starts a process that ends with this one, so that Ctrl-C also ends a server, and frees its port.
///
/// Foundation gives it a process group, to which the terminal sends no signals; and SwiftPM runs
/// plugins on a thread that blocks signals, which a process inherits. When a terminal is closed,
/// SwiftPM ends without a word to its plugins.
private func startInterruptibly(_ process: Process) throws {
  var none = sigset_t()
  sigemptyset(&none)
  pthread_sigmask(SIG_SETMASK, &none, nil)
  try process.run()
  group = process.processIdentifier
  for number in [SIGHUP, SIGINT, SIGTERM] {
    signal(number) { number in
      kill(-group, number)
      _exit(128 + number)
    }
  }
  let parent = getppid()
  Thread.detachNewThread {
    while getppid() == parent { sleep(1) }
    kill(-group, SIGTERM)
    _exit(128 + SIGHUP)
  }
}

nonisolated(unsafe) private var group: pid_t = 0

/// What the script says before is all there is to say.
struct Failure: Error, CustomStringConvertible {
  let status: Int32
  var description: String { "build.sh has ended with status \(status)" }
}
