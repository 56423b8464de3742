// The dates of timestamps, and `Codable`; Embedded Swift has neither.
#if !hasFeature(Embedded)
  import Foundation

  extension Timestamp {
    /// The moment of a date, to the nearest millisecond; the least or the greatest moment for a
    /// date out of range.
    public init(_ date: Date) {
      let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
      self.init(
        millisecondsSince1970: Int64(exactly: milliseconds) ?? (milliseconds > 0 ? .max : .min))
    }
  }

  extension Date {
    /// The date of a moment.
    public init(_ timestamp: Timestamp) {
      self.init(timeIntervalSince1970: Double(timestamp.millisecondsSince1970) / 1000)
    }
  }

  extension Timestamp: Codable {
    /// Reads the number of milliseconds.
    public init(from decoder: any Decoder) throws {
      self.init(millisecondsSince1970: try Int64(from: decoder))
    }

    /// Writes the number of milliseconds.
    public func encode(to encoder: any Encoder) throws {
      try millisecondsSince1970.encode(to: encoder)
    }
  }
#endif
