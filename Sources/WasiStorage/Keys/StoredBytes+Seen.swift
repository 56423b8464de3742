extension StoredBytes {
  /// What the item knows of the stored bytes.
  enum Seen: Equatable {
    /// Nothing, or no longer: the store could not be read.
    case unknown
    case missing
    case bytes([UInt8])

    init(_ bytes: [UInt8]?) {
      self = if let bytes { .bytes(bytes) } else { .missing }
    }

    /// The stored bytes, if there are some.
    var bytes: [UInt8]? {
      guard case .bytes(let bytes) = self else { return nil }
      return bytes
    }

    /// Whether the bytes are the same, word by word: `==` of arrays goes byte by byte in wasm.
    @inline(never)
    static func == (left: Seen, right: Seen) -> Bool {
      switch (left, right) {
      case (.unknown, .unknown), (.missing, .missing): true
      case (.bytes(let left), .bytes(let right)): left.holdsSame(as: right)
      default: false
      }
    }
  }
}
