// Whether a test runs. In wasm, none does: the cases of the portable suite are programs. Nor does
// wasm have `dlopen`.
#if hasFeature(Embedded) || os(WASI)
  /// Whether Swift Testing or XCTest runs the program; false in WebAssembly.
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

  /// Whether Swift Testing or XCTest runs the program; false in WebAssembly.
  ///
  /// ```swift
  /// if !isTesting { analytics.start() }
  /// ```
  public let isTesting: Bool = {
    // Every program that `swift test` runs has Swift Testing's entry point for tools, with XCTest
    // too. No other program has it.
    guard let program = dlopen(nil, RTLD_LAZY) else { return false }
    defer { dlclose(program) }
    return dlsym(program, "swt_abiv0_getEntryPoint") != nil
  }()
#endif
