import SharingJSON

/// The contents of an item in a store.
package enum ItemContents: Equatable {
  case missing
  case bytes([UInt8])

  package init(_ bytes: [UInt8]?) {
    self = if let bytes { .bytes(bytes) } else { .missing }
  }

  /// The stored bytes; nil if the item is missing.
  var bytes: [UInt8]? {
    guard case .bytes(let bytes) = self else { return nil }
    return bytes
  }

  /// Compares the bytes word by word: in wasm, `==` of arrays compares byte by byte.
  @inline(never)
  package static func == (left: ItemContents, right: ItemContents) -> Bool {
    switch (left, right) {
    case (.missing, .missing): true
    case (.bytes(let left), .bytes(let right)): left.holdsSame(as: right)
    default: false
    }
  }
}
