import SharingCore

// What keys say of themselves: natively how one writes them; in Embedded Swift, where few bytes have
// to do, messages have their names.
#if hasFeature(Embedded)
  /// The part of a name that was given as `prefix:`: not kept, since nobody asks.
  struct KeyPrefix {
    init(_ text: String) {}
  }

  extension StorageKey {
    /// The item's name.
    public var label: UTF8Text { item.untyped.bytes.quotedName }
  }

  extension StoredBytes {
    fileprivate var quotedName: UTF8Text { "\"\(name)\"" }
  }
#else
  /// The part of a name that was given as `prefix:`.
  struct KeyPrefix {
    fileprivate let text: String

    init(_ text: String) {
      self.text = text
    }
  }

  extension StorageKey {
    /// The key's description; for a key of one's own without one, its type and the item's name.
    public var label: UTF8Text {
      let description = (self as? any CustomStringConvertible)?.description
      return UTF8Text(description ?? "\(Self.self)(\(name))")
    }

    private var name: String { item.untyped.bytes.name.description.debugDescription }

    /// The key as it is written, by a factory that takes the item's name.
    fileprivate func written(_ factory: String, _ prefix: KeyPrefix = KeyPrefix("")) -> String {
      let bytes = item.untyped.bytes.name.bytes.dropFirst(prefix.text.utf8.count)
      let name = String(decoding: bytes, as: UTF8.self).debugDescription
      let more = prefix.text.isEmpty ? "" : ", prefix: \(prefix.text.debugDescription)"
      return ".\(factory)(\(name)\(more))"
    }
  }

  extension LocalStorageKey: CustomStringConvertible {
    /// The key as it is written: `.localStorage("count")`.
    public var description: String { written("localStorage", prefix) }
  }

  extension SessionStorageKey: CustomStringConvertible {
    /// The key as it is written: `.sessionStorage("count")`.
    public var description: String { written("sessionStorage", prefix) }
  }

  extension AppStorageKey: CustomStringConvertible {
    /// The key as it is written: `.appStorage("count")`.
    public var description: String { written("appStorage") }
  }

  extension FileStorageKey: CustomStringConvertible {
    /// The key as it is written, with the file's path: `.fileStorage("users.json")`.
    public var description: String { written("fileStorage") }
  }

  extension LocationHashKey: CustomStringConvertible {
    /// The key as it is written.
    public var description: String { ".locationHash" }
  }
#endif
