// The text of errors for Foundation, which Embedded Swift does not have.
#if !hasFeature(Embedded)
  import Foundation

  extension JSONError: LocalizedError {
    /// The description, which is `localizedDescription`.
    public var errorDescription: String? { description }
  }
#endif
