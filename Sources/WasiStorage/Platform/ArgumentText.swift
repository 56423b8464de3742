extension Arguments {
  #if hasFeature(Embedded)
    /// Whether an argument is UTF-8, as are all strings of WASI.
    package static func isText(_ word: [UInt8]) -> Bool { true }
  #else
    /// Whether an argument is UTF-8; another one cannot be stored as text.
    package static func isText(_ word: [UInt8]) -> Bool { JSON.isUTF8(word) }
  #endif
}
