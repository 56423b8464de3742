// The text of errors for Foundation, which Embedded Swift does not have.
#if !hasFeature(Embedded)
  import Foundation
  import SharingCore

  extension StorageError: LocalizedError {
    /// The message, which is `localizedDescription`.
    public var errorDescription: String? { message.description }
  }
#endif
