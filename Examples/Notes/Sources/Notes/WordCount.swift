import SharingPage

/// Returns the number of words of a text. In a page the browser counts them, since it finds word
/// boundaries in languages without spaces; see notes.js.
func wordCount(of text: UTF8Text) -> Int {
  if Page.isInBrowser { return Int(countWords(text.bytes, Int32(text.bytes.count))) }
  return text.bytes.split { $0 <= UInt8(ascii: " ") }.count
}

#if arch(wasm32)
  @_extern(wasm, module: "mine", name: "word_count")
  private func countWords(_ text: UnsafePointer<UInt8>, _ byteCount: Int32) -> Int32
#else
  /// Never called: there is no page in a native program.
  private func countWords(_ text: UnsafePointer<UInt8>, _ byteCount: Int32) -> Int32 { 0 }
#endif
