/// What a stored value knows of the bytes in its store.
package enum LastKnown: Equatable {
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
  package static func == (left: LastKnown, right: LastKnown) -> Bool {
    switch (left, right) {
    case (.unknown, .unknown), (.missing, .missing): true
    case (.bytes(let left), .bytes(let right)): left.holdsSame(as: right)
    default: false
    }
  }
}
