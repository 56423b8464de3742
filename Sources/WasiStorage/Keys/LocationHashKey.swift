import SharingCore

extension SharedReaderKey where Self == StoredKey<String> {
  /// The text after `#` in the page's address; in memory if there is no page.
  ///
  /// ```swift
  /// @Shared(.locationHash) var route = "/"  // http://localhost:8080/#/active: "/active"
  /// ```
  /// - It follows links, the back button, and an address that the visitor enters. A change adds an
  ///   entry to the tab's history.
  /// - If the address has no `#`, or nothing after it, the value is the default.
  /// - It is written 100 ms after the last change, at the latest a second after the first one,
  ///   since browsers limit changes of the address: Chromium allows 200 in ten seconds. Changes
  ///   between two writes are one entry of the history. If the browser ignores a change,
  ///   `saveError` is set, and the next change tries again.
  /// - If the visitor goes to another address before a change is written, that address is shown.
  /// - The text may have any characters: the key encodes and decodes percent-encoding.
  public static var locationHash: Self {
    StoredKey(
      .address(.push),
      StorageCoding(
        encode: { (text) throws(AnyError) in fragment(of: KeyName(text).bytes) },
        decode: { (bytes) throws(AnyError) in
          String(decoding: HexDigit.percentDecoded(bytes), as: UTF8.self)
        }))
  }
}

extension SharedReaderKey where Self == StoredKey<UTF8Text> {
  /// The same text as a `UTF8Text`, which takes less code in WebAssembly than `String`.
  ///
  /// ```swift
  /// @Shared(.locationHash) var route: UTF8Text = "/"
  /// ```
  public static var locationHash: Self {
    StoredKey(
      .address(.push),
      StorageCoding(
        encode: { (text) throws(AnyError) in fragment(of: text.bytes) },
        decode: { (bytes) throws(AnyError) in UTF8Text(HexDigit.percentDecoded(bytes)) }))
  }
}

extension StoredItem {
  static func address(_ history: LocationHistory) -> StoredItem {
    let store = DefaultStores.forKey(.location) { $0.location }
    // Elsewhere, there is no history.
    let isInBrowser = store as AnyObject === BrowserStore.location
    return StoredItem(
      KeyName(bytes: []), in: store, .nameless(".locationHash"), .debounced(milliseconds: 100),
      kind: .address(isInBrowser ? history : .push))
  }
}

/// Returns the fragment of an address for a text; nil for the empty text.
private func fragment(of text: [UInt8]) -> [UInt8]? {
  text.isEmpty ? nil : percentEncoded(text)
}

/// Percent-encodes `%` and the bytes that browsers encode themselves (the fragment percent-encode
/// set of the URL standard), so that a text reads back as it was written.
private func percentEncoded(_ bytes: [UInt8]) -> [UInt8] {
  var text: [UInt8] = []
  for byte in bytes {
    switch byte {
    case 0...0x20, 0x7F..., UInt8(ascii: "%"), UInt8(ascii: "\""), UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: "`"):
      text.put(UInt8(ascii: "%"))
      text.put(HexDigit.of(byte >> 4))
      text.put(HexDigit.of(byte & 15))
    default: text.put(byte)
    }
  }
  return text
}
