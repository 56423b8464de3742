// Whether a test runs. In wasm, none does: the cases of the portable suite are programs. Nor does
// wasm have `dlopen`.
#if hasFeature(Embedded) || os(WASI)
  /// Whether Swift Testing or XCTest runs the program; false in WebAssembly.
  package var isTesting: Bool { false }
#else
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// Whether Swift Testing or XCTest runs the program; false in WebAssembly.
  package let isTesting: Bool = {
    // Every program that `swift test` runs has Swift Testing's entry point for tools, with XCTest
    // too. No other program has it.
    guard let program = dlopen(nil, RTLD_LAZY) else { return false }
    defer { dlclose(program) }
    return dlsym(program, "swt_abiv0_getEntryPoint") != nil
  }()
#endif

// Detects tests that share state because they have no environment of their own; wasm has no tests.
#if hasFeature(Embedded)
  extension SharingEnvironment {
    /// Does nothing.
    static func willMakeKeyedValue(at site: CallSite) {}
  }
#else
  import Synchronization

  extension SharingEnvironment {
    private static let isReported = Atomic(false)

    /// Reports once that tests share a value with a key, if they do.
    static func willMakeKeyedValue(at site: CallSite) {
      guard isTesting, scoped == nil, !isReported.exchange(true, ordering: .relaxed) else { return }
      program.onIssue(
        SharingIssue(
          """
          A value with a key was created outside of any known test, so all tests share it, and the \
          changes of one are visible in the next. Link the module SharingTesting into the tests: \
          then each has an environment of its own. In a thread or a detached task that a test \
          starts, use the test's SharingEnvironment.current: environment.run { … }.
          """, at: site))
    }
  }
#endif
