// Whether a test runs. There are none in wasm, which has no `dlopen` either: those of the portable
// suite are programs.
#if hasFeature(Embedded) || os(WASI)
  /// Whether the program is a test's, of Swift Testing or XCTest; false in WebAssembly.
  ///
  /// ```swift
  /// if !isTesting { analytics.start() }
  /// ```
  public var isTesting: Bool { false }
#else
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// Whether the program is a test's, of Swift Testing or XCTest; false in WebAssembly.
  ///
  /// ```swift
  /// if !isTesting { analytics.start() }
  /// ```
  public let isTesting: Bool = {
    // Swift Testing's entry point for tools is in every program that `swift test` runs, XCTest's
    // too, and in no other.
    guard let program = dlopen(nil, RTLD_LAZY) else { return false }
    defer { dlclose(program) }
    return dlsym(program, "swt_abiv0_getEntryPoint") != nil
  }()
#endif
