// The conversion of decimal digits to floating-point numbers, which Embedded Swift lacks: there it
// is that of C, in the locale "C", the only one in WebAssembly.
#if hasFeature(Embedded)
  @_extern(c, "strtod")
  private func strtod(_ text: UnsafePointer<UInt8>, _ end: UnsafeRawPointer?) -> Double

  @_extern(c, "strtof")
  private func strtof(_ text: UnsafePointer<UInt8>, _ end: UnsafeRawPointer?) -> Float

  extension Double {
    /// The nearest number to a number of JSON; infinity if that is too large.
    init(number text: UnsafeBufferPointer<UInt8>) { self = strtod(text + [0], nil) }
  }

  extension Float {
    /// The nearest number to a number of JSON; infinity if that is too large.
    init(number text: UnsafeBufferPointer<UInt8>) { self = strtof(text + [0], nil) }
  }
#else
  extension LosslessStringConvertible where Self: BinaryFloatingPoint {
    /// The nearest number to a number of JSON; infinity if that is too large.
    init(number text: UnsafeBufferPointer<UInt8>) {
      self = Self(String(decoding: text, as: UTF8.self)) ?? .infinity
    }
  }
#endif
