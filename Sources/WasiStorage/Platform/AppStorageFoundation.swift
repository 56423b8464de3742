// Foundation's types as simple values of `.appStorage`; Embedded Swift has no Foundation.
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
        let excerpt = storageText.withUnsafeBufferPointer { TextExcerpt.text(of: $0, around: 0) }
        throw StorageError(
          .corrupt(offset: 0), key: nil, "The text is not a URL. The text there: \(excerpt)")
      }
      self = url
    }

    /// The absolute string.
    public func storageText() -> [UInt8]? { absoluteString.storageText() }
  }
#endif
