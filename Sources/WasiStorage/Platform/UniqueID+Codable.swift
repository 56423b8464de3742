// `Codable`, which Embedded Swift does not have.
#if !hasFeature(Embedded)
  import SharingCore

  extension UniqueID: Codable {
    /// Reads the text.
    /// - Throws: `DecodingError` for anything but a text of an id.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      guard let id = UniqueID(UTF8Text(try container.decode(String.self))) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "The text of an id has 26 digits and letters.")
      }
      self = id
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
  }

  @available(macOS 12.3, iOS 15.4, tvOS 15.4, watchOS 8.5, *)
  extension UniqueID: CodingKeyRepresentable {
    /// The text, as the key of a dictionary.
    public var codingKey: any CodingKey { Key(stringValue: description) }

    /// The id with this text; nil for any other text.
    public init?<T: CodingKey>(codingKey: T) {
      self.init(jsonKey: UTF8Text(codingKey.stringValue))
    }

    private struct Key: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }

      init(stringValue: String) { self.stringValue = stringValue }

      init?(intValue: Int) { nil }
    }
  }
#endif
