// Stored members that a `Codable` type lacks; Embedded Swift has no `Codable`.
#if !hasFeature(Embedded)
  extension _UnknownMemberWriter {
    /// Merges the texts as ``merging`` does, if the stored text has members that the type lacks:
    /// Foundation's decoder does not report them. Otherwise the encoder's text stays as it is, with
    /// its white space and its order.
    package static var mergingIfNeeded: Self {
      Self { known, text, stored in
        guard hasUnknownMembers(stored[...], beside: known[...]) else { return nil }
        return merging.merge(known, text, stored)
      }
    }

    private static func hasUnknownMembers(
      _ stored: ArraySlice<UInt8>, beside known: ArraySlice<UInt8>
    ) -> Bool {
      guard let stored = JSONParts(Array(stored)),
        let known = JSONParts(Array(known), like: stored)
      else { return false }
      return stored.parts.enumerated().contains { index, part in
        guard let text = known.text(of: part.name, at: index) else { return true }
        return hasUnknownMembers(part.text, beside: text)
      }
    }
  }
#endif
