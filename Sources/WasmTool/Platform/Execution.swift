import Foundation

#if os(WASI)
  /// A WebAssembly program cannot start another one. This tool is for the machine that builds.
  func replaceProcess(by words: [String]) -> String { "a WebAssembly program starts no other" }
#else
  /// Replaces this process by another program, which is searched in the `PATH`.
  /// - Returns: The reason why that failed.
  func replaceProcess(by words: [String]) -> String {
    execvp(words[0], words.map { strdup($0) } + [nil])
    return String(cString: strerror(errno))
  }
#endif
