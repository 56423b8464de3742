#if hasFeature(Embedded)
  extension HostStores {
    /// Whether a program keeps values in files by default. A program in WebAssembly does not: code
    /// that a page cannot use would be an eighth of a small one.
    @inline(__always)
    package static var hasFilesByDefault: Bool { false }
  }
#else
  extension HostStores {
    /// Whether a program keeps values in files by default, as native ones do.
    package static var hasFilesByDefault: Bool { true }
  }
#endif
