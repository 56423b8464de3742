// What Foundation adds to the simple values of `.appStorage`; there is none in Embedded Swift.
#if !hasFeature(Embedded)
  import Foundation
  import SharingCore

  extension Data: AppStorageValue {
    /// The bytes of a Base64 text.
    public init(storageText: [UInt8]) throws(StorageError) {
      self.init(try Base64.decode(storageText))
    }

    /// The Base64 text of the bytes.
    public func storageText() -> [UInt8]? { Base64.encode([UInt8](self)) }
  }

  extension Date: AppStorageValue {
    /// The date that is so many seconds after 2001-01-01.
    public init(storageText: [UInt8]) throws(StorageError) {
      self.init(timeIntervalSinceReferenceDate: try Double(storageText: storageText))
    }

    /// The seconds since 2001-01-01, which is what a date is made of: nothing is rounded.
    public func storageText() throws(StorageError) -> [UInt8]? {
      try timeIntervalSinceReferenceDate.storageText()
    }
  }

  extension URL: AppStorageValue {
    /// The URL of its absolute string.
    public init(storageText: [UInt8]) throws(StorageError) {
      guard let url = URL(string: try String(storageText: storageText)) else {
        let excerpt = storageText.withUnsafeBufferPointer { TextExcerpt.text(of: $0, around: 0) }
        throw StorageError(
          .corrupt(offset: 0), key: nil, "The text is no URL. The text there: \(excerpt)")
      }
      self = url
    }

    /// The absolute string.
    public func storageText() -> [UInt8]? { absoluteString.storageText() }
  }
#endif
