import SharingJSON

/// The bytes in a store, as far as its stored value knows them.
package enum LastKnown: Equatable {
  /// The store was not read yet, or the last read failed.
  case unknown
  case missing
  case bytes([UInt8])

  package init(_ bytes: [UInt8]?) {
    self = if let bytes { .bytes(bytes) } else { .missing }
  }

  /// The stored bytes; nil if none are known.
  var bytes: [UInt8]? {
    guard case .bytes(let bytes) = self else { return nil }
    return bytes
  }

  /// Compares the bytes word by word: in wasm, `==` of arrays compares byte by byte.
  @inline(never)
  package static func == (left: LastKnown, right: LastKnown) -> Bool {
    switch (left, right) {
    case (.unknown, .unknown), (.missing, .missing): true
    case (.bytes(let left), .bytes(let right)): left.holdsSame(as: right)
    default: false
    }
  }
}
