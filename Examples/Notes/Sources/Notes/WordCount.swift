import SharingPage

/// How many words a text has. In a page the browser counts them, which knows where words end in
/// languages that write no spaces; see notes.js.
func wordCount(of text: UTF8Text) -> Int {
  if Page.isInBrowser { return Int(countWords(text.bytes, Int32(text.bytes.count))) }
  return text.bytes.split { $0 <= UInt8(ascii: " ") }.count
}

#if arch(wasm32)
  @_extern(wasm, module: "mine", name: "word_count")
  private func countWords(_ text: UnsafePointer<UInt8>, _ byteCount: Int32) -> Int32
#else
  /// Never called: natively there is no page.
  private func countWords(_ text: UnsafePointer<UInt8>, _ byteCount: Int32) -> Int32 { 0 }
#endif
