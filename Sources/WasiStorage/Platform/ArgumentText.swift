extension Arguments {
  #if hasFeature(Embedded)
    /// Whether an argument is UTF-8, as all strings of WASI are.
    public static func isText(_ word: [UInt8]) -> Bool { true }
  #else
    /// Whether an argument is UTF-8; one that is not cannot be stored as text.
    public static func isText(_ word: [UInt8]) -> Bool { StoreDocument.isUTF8(word) }
  #endif
}
