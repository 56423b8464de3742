// Foundation's types, which Embedded Swift does not have: values of `.appStorage`, the dates of
// timestamps, and the text of errors.
#if !hasFeature(Embedded)
  import Foundation
  import SharingCore
  import SharingJSON

  extension Data: AppStorageValue {
    /// The bytes of a Base64 text.
    public init(storageText: [UInt8]) throws(StorageError) {
      self.init(try Base64.decode(storageText))
    }

    /// The Base64 text of the bytes.
    public func storageText() -> [UInt8]? { Base64.encode([UInt8](self)) }
  }

  extension Date: AppStorageValue {
    /// The date of a number of seconds after 2001-01-01.
    public init(storageText: [UInt8]) throws(StorageError) {
      self.init(timeIntervalSinceReferenceDate: try Double(storageText: storageText))
    }

    /// The seconds since 2001-01-01. A date stores just these, so nothing is rounded.
    public func storageText() throws(StorageError) -> [UInt8]? {
      try timeIntervalSinceReferenceDate.storageText()
    }
  }

  extension URL: AppStorageValue {
    /// The URL of an absolute string.
    public init(storageText: [UInt8]) throws(StorageError) {
      guard let url = URL(string: try String(storageText: storageText)) else {
        let excerpt = storageText.withUnsafeBytes { TextExcerpt.text(of: $0, around: 0) }
        throw StorageError(
          .corrupt(offset: 0), key: nil, "The text is not a URL. The text there: \(excerpt)")
      }
      self = url
    }

    /// The absolute string.
    public func storageText() -> [UInt8]? { absoluteString.storageText() }
  }

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

  extension StorageError: LocalizedError {
    /// The message, which is `localizedDescription`.
    public var errorDescription: String? { message.description }
  }
#endif
