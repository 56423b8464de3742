// `$user.name`: derives a property of a shared value as its own shared value.
//
// Embedded Swift has no key paths at run time. There the getters are transparent, so that the
// compiler folds `MemoryLayout.offset(of:)` of the literal key path to a constant at the call; only
// the offset remains. A computed property has no offset, so the key path remains, which the
// compiler rejects at the call ("cannot use key path in embedded Swift").
#if hasFeature(Embedded)
  extension Shared {
    /// A stored property of the value, shared: `$user.address.city`.
    ///
    /// Embedded Swift rejects computed properties and properties of classes: "cannot use key path
    /// in embedded Swift". Derive a stored property there, or compute:
    /// `$user.read { $0.initials }`.
    public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Shared<
      Member
    > {
      @_transparent get {
        guard let offset = MemoryLayout<Value>.offset(of: keyPath) else { refuse(keyPath) }
        return field(offset)
      }
    }

    /// A constant stored property of the value, read-only.
    public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> SharedReader<Member>
    {
      @_transparent get {
        guard let offset = MemoryLayout<Value>.offset(of: keyPath) else { refuse(keyPath) }
        return reader.field(offset)
      }
    }

    @usableFromInline
    func field<Member>(_ offset: Int) -> Shared<Member> {
      Shared<Member>(handle.reference.field(offset, size: MemoryLayout<Member>.size))
    }
  }

  extension SharedReader {
    /// A stored property of the value, read-only: `$user.address.city`.
    public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> SharedReader<Member>
    {
      @_transparent get {
        guard let offset = MemoryLayout<Value>.offset(of: keyPath) else { refuse(keyPath) }
        return field(offset)
      }
    }

    @usableFromInline
    func field<Member>(_ offset: Int) -> SharedReader<Member> {
      SharedReader<Member>(handle.reference.field(offset, size: MemoryLayout<Member>.size))
    }
  }

  extension Reference {
    fileprivate func field(_ offset: Int, size: Int) -> FieldReference {
      FieldReference(offset..<offset + size, of: self)
    }
  }

  /// Never compiled into a program: the compiler rejects its argument.
  @usableFromInline
  func refuse(_ keyPath: AnyObject) -> Never {
    fatalError("A computed property cannot be derived.")
  }
#else
  extension Shared {
    /// A property of the value, shared: `$user.address.city`.
    public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Shared<
      Member
    > {
      Shared<Member>(handle.reference.member(keyPath))
    }

    /// A read-only property of the value: `$topics.count` is a `SharedReader<Int>`.
    public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> SharedReader<Member>
    {
      reader[dynamicMember: keyPath]
    }
  }

  extension SharedReader {
    /// A property of the value, read-only: `$user.address.city`.
    public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> SharedReader<Member>
    {
      SharedReader<Member>(handle.reference.member(keyPath))
    }
  }

  extension Reference {
    fileprivate func member<Value, Member>(_ keyPath: KeyPath<Value, Member>) -> Reference {
      guard let offset = MemoryLayout<Value>.offset(of: keyPath) else {
        return KeyPathReference(keyPath, of: self)
      }
      return FieldReference(offset..<offset + MemoryLayout<Member>.size, of: self)
    }
  }

  /// A computed property of another reference's value.
  private final class KeyPathReference<Value, Member>: DerivedReference, @unchecked Sendable {
    private let keyPath: KeyPath<Value, Member>

    init(_ keyPath: KeyPath<Value, Member>, of base: Reference) {
      self.keyPath = keyPath
      super.init(.whole, of: base)
    }

    override func rederived(from base: Reference) -> Reference? {
      KeyPathReference(keyPath, of: base)
    }

    override func withAddress(_ access: Access, _ body: (UnsafeMutableRawPointer) -> Void) {
      guard access == .changing, let keyPath = keyPath as? WritableKeyPath<Value, Member> else {
        // A getter is foreign code, so it runs on a copy, under no lock.
        let value: Value = base.value()
        var member = value[keyPath: keyPath]
        return withUnsafeMutablePointer(to: &member) { body($0) }
      }
      base.withAddress(access) { address in
        let value = address.assumingMemoryBound(to: Value.self)
        withUnsafeMutablePointer(to: &value.pointee[keyPath: keyPath]) { body($0) }
      }
    }
  }
#endif
