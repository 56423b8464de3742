#if hasFeature(Embedded)
  extension String {
    /// A copy of bytes that are known to be UTF-8.
    ///
    /// Embedded Swift copies a string byte by byte, in a loop that a browser optimizes while data
    /// is being read. Here all bytes are copied at once, and checked again, a word at a time.
    init(checked bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
      self.init(unsafeUninitializedCapacity: bytes.count) { copy in
        UnsafeMutableRawBufferPointer(copy).copyMemory(from: UnsafeRawBufferPointer(bytes))
        return bytes.count
      }
    }
  }
#else
  extension String {
    /// A copy of bytes that are known to be UTF-8. Older systems check them again.
    /// - Parameter isASCII: whether all bytes are ASCII; such strings are compared faster.
    init(checked bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
      guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
        self.init(decoding: bytes, as: UTF8.self)
        return
      }
      self.init(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: isASCII))
    }
  }
#endif
