/// Writes the members of a stored text that the value's type lacks. Not for direct use: types refer
/// to it, so that only programs with such types link it.
public struct _UnknownMemberWriter: Sendable {
  /// Returns the text of a value with such members; nil if the texts cannot be merged.
  /// - Parameters:
  ///   - known: The text that the type writes for the stored value.
  ///   - text: The text that it writes for the new value.
  ///   - stored: The stored text.
  package let merge: @Sendable (_ known: [UInt8], _ text: [UInt8], _ stored: [UInt8]) -> [UInt8]?

  /// Merges the texts as those of two programs (``JSONMerge``).
  package static var merging: Self {
    Self { known, text, stored in
      var merge = JSONMerge()
      return merge.merge(known, text, stored)
    }
  }
}
