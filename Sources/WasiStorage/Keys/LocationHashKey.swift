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
  /// - Percent-encoding is undone and done: the text may have any characters.
  public static var locationHash: Self {
    let store = SharingEnvironment.current.stores.locationForKey
    let coding = StorageCoding<String>(
      encode: { (text) throws(AnyError) in fragment(of: KeyName(text).bytes) },
      decode: { (bytes) throws(AnyError) in
        String(decoding: percentDecoded(bytes), as: UTF8.self)
      })
    return LocationHashKey(item: StoredItem(KeyName(bytes: []), in: store, coding: coding))
  }
}

extension SharedReaderKey where Self == LocationHashKey<UTF8Text> {
  /// The same as ``UTF8Text``, which is smaller in WebAssembly than `String`.
  ///
  /// ```swift
  /// @Shared(.locationHash) var route: UTF8Text = "/"
  /// ```
  public static var locationHash: Self {
    let store = SharingEnvironment.current.stores.locationForKey
    let coding = StorageCoding<UTF8Text>(
      encode: { (text) throws(AnyError) in fragment(of: text.bytes) },
      decode: { (bytes) throws(AnyError) in UTF8Text(percentDecoded(bytes)) })
    return LocationHashKey(item: StoredItem(KeyName(bytes: []), in: store, coding: coding))
  }
}

/// A key for what stands behind `#` in the page's address; use `.locationHash`.
public struct LocationHashKey<Text: Sendable>: StorageKey {
  /// The item of the store.
  public let item: StoredItem<Text>
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

/// Decodes what is encoded; a `%` without two digits stands for itself, as visitors type it.
private func percentDecoded(_ text: [UInt8]) -> [UInt8] {
  var bytes: [UInt8] = []
  var index = 0
  while index < text.count {
    if text[index] == UInt8(ascii: "%"), index + 2 < text.count,
      let high = HexDigit.value(text[index + 1]), let low = HexDigit.value(text[index + 2])
    {
      bytes.put(high << 4 | low)
      index += 3
    } else {
      bytes.put(text[index])
      index += 1
    }
  }
  return bytes
}
