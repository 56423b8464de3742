import SharingCore

extension SharedReaderKey where Self == LocationHashKey<String> {
  /// What stands behind `#` in the page's address, as text; in memory where there is no page.
  ///
  /// ```swift
  /// @Shared(.locationHash) var route = "/"  // http://localhost:8080/#/active: "/active"
  /// ```
  /// - It follows links, the back button, and what the visitor types. A change is a new entry of
  ///   the tab's history.
  /// - An address without `#`, or with nothing behind it, shows the default.
  /// - Browsers limit changes of the address: Chromium takes 200 in ten seconds. A change that the
  ///   browser ignores sets `saveError`, and is tried again by itself.
  /// - Percent-encoding is undone and done: the text may have any characters.
  public static var locationHash: Self {
    LocationHashKey(
      hash: StorageCoding(
        encode: { (text) throws(AnyError) in fragment(of: KeyName(text).bytes) },
        decode: { (bytes) throws(AnyError) in
          String(decoding: HexDigit.percentDecoded(bytes), as: UTF8.self)
        }))
  }
}

extension SharedReaderKey where Self == LocationHashKey<UTF8Text> {
  /// The same as ``UTF8Text``, which is smaller in WebAssembly than `String`.
  ///
  /// ```swift
  /// @Shared(.locationHash) var route: UTF8Text = "/"
  /// ```
  public static var locationHash: Self {
    LocationHashKey(
      hash: StorageCoding(
        encode: { (text) throws(AnyError) in fragment(of: text.bytes) },
        decode: { (bytes) throws(AnyError) in UTF8Text(HexDigit.percentDecoded(bytes)) }))
  }
}

/// A key for what stands behind `#` in the page's address; use `.locationHash`.
public typealias LocationHashKey<Text: Sendable> = StoredKey<Text>

extension StoredKey {
  fileprivate init(hash coding: @autoclosure @escaping @Sendable () -> StorageCoding<Value>) {
    self.init(
      StoredKeyID(
        KeyName(bytes: []), in: DefaultStores.forKey(.location) { $0.location },
        .nameless(".locationHash"), retries: true), coding)
  }
}

/// The fragment of an address; the empty text is nothing.
private func fragment(of text: [UInt8]) -> [UInt8]? {
  text.isEmpty ? nil : percentEncoded(text)
}

/// Encodes `%` and what a browser would encode itself (the fragment percent-encode set of the URL
/// standard), so that what is read is what was written.
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
