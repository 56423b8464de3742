// What wrappers and keys say of themselves: natively how one writes them. Embedded Swift can name
// no types, and few bytes have to do.
#if hasFeature(Embedded)
  extension Shared: CustomStringConvertible where Value: CustomStringConvertible {
    /// The value's description; natively it is the wrapper's.
    public var description: String { wrappedValue.description }
  }

  extension SharedReader: CustomStringConvertible where Value: CustomStringConvertible {
    /// The value's description; natively it is the reader's.
    public var description: String { wrappedValue.description }
  }

  extension SharedReaderKey {
    /// Nothing is known of the key.
    public var label: UTF8Text { "a shared key" }
  }

  extension SharingEnvironment {
    /// What messages call a key, whose link may be gone: not found out.
    static func label(of link: Unmanaged<CellPersistence>) -> UTF8Text? { nil }
  }
#else
  extension Shared: CustomStringConvertible {
    /// The wrapper as it is written: `Shared<Int>(.appStorage("count"))`, `Shared<Int>(value: 3)`.
    public var description: String { "Shared<\(typeText(Value.self))>(\(reader.origin))" }
  }

  extension SharedReader: CustomStringConvertible {
    /// The reader as it is written: `SharedReader<Int>(.appStorage("count"))`.
    public var description: String { "SharedReader<\(typeText(Value.self))>(\(origin))" }

    /// Where the value comes from.
    fileprivate var origin: String {
      let reference = handle.reference
      guard let key = reference.cell.keyText else {
        return "value: \(String(reflecting: wrappedValue))"
      }
      return reference.derived == nil ? key : "part of \(key)"
    }
  }

  extension Cell {
    /// The key that the value has, as far as that is known here.
    fileprivate var keyText: String? {
      if let persistence { return persistence.connection.label.description }
      guard isKeyed else { return nil }
      let entry = SharingEnvironment.listed.first { $0.cell === self }?.entry
      return (entry as? any CustomStringConvertible)?.description
    }
  }

  extension SharingEnvironment {
    /// What is listed here and in the program's own environment.
    fileprivate static var listed: [(entry: ReferenceEntry, cell: Cell)] {
      program.references.all + (scoped?.references.all ?? [])
    }

    /// What messages call a key, whose link may be gone.
    static func label(of link: Unmanaged<CellPersistence>) -> UTF8Text? {
      let links = listed.lazy.compactMap { $0.cell.persistence }
      return links.first { Unmanaged.passUnretained($0).toOpaque() == link.toOpaque() }?.connection
        .label
    }
  }

  extension KeyedEntry: CustomStringConvertible {
    /// The id's description.
    var description: String { "\(id)" }
  }

  extension InMemoryKey: CustomStringConvertible {
    /// The key as it is written.
    public var description: String { "\(id)" }
  }

  extension InMemoryKeyID: CustomStringConvertible {
    /// The key as it is written.
    public var description: String { ".inMemory(\(name.description.debugDescription))" }
  }

  extension _SharedKeyDefault: CustomStringConvertible {
    /// The key without the default.
    public var description: String { "\(base)" }
  }

  extension SharedReaderKey {
    /// The key's description.
    public var label: UTF8Text { UTF8Text("\(self)" as String) }
  }

  /// A type's name, as it is written in Swift.
  private func typeText(_ type: Any.Type) -> String {
    (type as? any AbbreviatedType.Type)?.abbreviation ?? "\(type)"
  }

  /// A type that has a form of its own in Swift.
  private protocol AbbreviatedType {
    static var abbreviation: String { get }
  }

  extension Optional: AbbreviatedType {
    fileprivate static var abbreviation: String { "\(typeText(Wrapped.self))?" }
  }

  extension Array: AbbreviatedType {
    fileprivate static var abbreviation: String { "[\(typeText(Element.self))]" }
  }

  extension Dictionary: AbbreviatedType {
    fileprivate static var abbreviation: String {
      "[\(typeText(Key.self)): \(typeText(Value.self))]"
    }
  }
#endif
