import Foundation

/// `swift run wasm VERB`: runs build.sh of this package for the package that depends on it.
///
/// This is a program, not a SwiftPM plugin: SwiftPM locks the build folder until a plugin ends, so
/// `swift test` would wait while `serve` runs. `swift run` replaces itself by the program it runs,
/// with `exec`, and this program replaces itself by the script. So the build folder is not locked,
/// and Ctrl-C ends the server.
@main
struct WasmTool {
  static func main() {
    // This file is Sources/WasmTool/WasmTool.swift of the package, wherever that is.
    let script = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("build.sh")
    guard let package = packageFolder() else {
      fail("There is no Package.swift here or above. Change to the folder of your package.")
    }
    let words = ["bash", script.path, "--package", package.path]
    let reason = replaceProcess(by: words + CommandLine.arguments.dropFirst())
    fail("bash could not be started: \(reason)")
  }

  /// Returns the nearest folder with a Package.swift, which is the one that SwiftPM takes.
  private static func packageFolder() -> URL? {
    var folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    while !FileManager.default.fileExists(atPath: folder.path + "/Package.swift") {
      guard folder.path != "/" else { return nil }
      folder.deleteLastPathComponent()
    }
    return folder
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("wasm: \(message)\n".utf8))
    exit(1)
  }
}
