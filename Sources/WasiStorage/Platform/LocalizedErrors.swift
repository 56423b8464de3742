// What programs with Foundation show of errors; there is none in Embedded Swift.
#if !hasFeature(Embedded)
  import Foundation
  import SharingCore

  extension StorageError: LocalizedError {
    /// The message, which is `localizedDescription`.
    public var errorDescription: String? { message.description }
  }

  extension JSONError: LocalizedError {
    /// The description, which is `localizedDescription`.
    public var errorDescription: String? { description }
  }
#endif
