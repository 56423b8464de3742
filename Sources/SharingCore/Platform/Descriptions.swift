// The descriptions of wrappers and keys: natively, as in source code. Embedded Swift has no names
// of types and no reflection, and the text must be small.
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
    /// A constant text.
    public var label: UTF8Text { "a shared key" }
  }

  extension SharingEnvironment {
    /// Returns nil.
    static func label(of link: Unmanaged<CellPersistence>) -> UTF8Text? { nil }
  }
#else
  extension Shared: CustomStringConvertible, CustomReflectable {}

  extension SharedReader: CustomStringConvertible, CustomReflectable {}

  extension SharedReadable {
    /// The wrapper as in source code: `Shared<Int>(.appStorage("count"))`, `Shared<Int>(value: 3)`.
    public var description: String {
      let wrapper = "\(Self.self)".prefix { $0 != "<" }
      return "\(wrapper)<\(typeText(Value.self))>(\(origin))"
    }

    /// The value, for `dump`, the debugger and test frameworks.
    public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }

    /// The source of the value.
    private var origin: String {
      let reference = reader.handle.reference
      guard let key = reference.cell.keyText else {
        return "value: \(String(reflecting: wrappedValue))"
      }
      return reference.derived == nil ? key : "part of \(key)"
    }
  }

  extension Cell {
    /// The text of the value's key, nil if it is not known here.
    fileprivate var keyText: String? {
      if let persistence { return persistence.connection.label.description }
      guard isKeyed else { return nil }
      let entry = SharingEnvironment.listed.first { $0.cell === self }?.entry
      return (entry as? KeyedEntry<KeyID>)?.id.inMemoryText
    }
  }

  extension SharingEnvironment {
    /// The entries of the current environment and of the program's own.
    fileprivate static var listed: [(entry: ReferenceEntry, cell: Cell)] {
      program.references.all + (scoped?.references.all ?? [])
    }

    /// Returns the name of a key for messages, nil if its link is gone.
    static func label(of link: Unmanaged<CellPersistence>) -> UTF8Text? {
      let links = listed.lazy.compactMap { $0.cell.persistence }
      return links.first { Unmanaged.passUnretained($0).toOpaque() == link.toOpaque() }?.connection
        .label
    }
  }

  extension InMemoryKey: CustomStringConvertible {
    /// The key as in source code.
    public var description: String { id.inMemoryText }
  }

  extension KeyID {
    /// A key in memory as in source code.
    fileprivate var inMemoryText: String { ".inMemory(\(name.description.debugDescription))" }
  }

  extension _SharedKeyDefault: CustomStringConvertible {
    /// The key without the default.
    public var description: String { "\(base)" }
  }

  extension SharedReaderKey {
    /// The key's description.
    public var label: UTF8Text { UTF8Text("\(self)" as String) }
  }

  /// Returns the name of a type as in source code.
  func typeText(_ type: Any.Type) -> String {
    (type as? any AbbreviatedType.Type)?.abbreviation ?? "\(type)"
  }

  /// A type with a short form in Swift.
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
