// Where a value was declared, for the failures of exhaustive tests; in wasm it is not kept.
#if hasFeature(Embedded)
  /// Where a value was declared: not kept.
  struct Declaration {
    init(at site: CallSite? = nil) {}
  }

  extension Shared {
    /// A value that is shared by the wrapper's copies and derivations only.
    ///
    /// ```swift
    /// @Shared(value: 0) var count
    /// ```
    public init(value: sending Value) {
      self.init(TypedCell(value))
    }
  }

  extension TrackedCell {
    /// Where the value was declared, as a sentence after a space; empty where that is not known.
    var declaration: UTF8Text { "" }
  }
#else
  /// Where a value was declared.
  struct Declaration {
    let site: CallSite?

    init(at site: CallSite? = nil) {
      self.site = site
    }
  }

  extension Shared {
    /// A value that is shared by the wrapper's copies and derivations only.
    ///
    /// ```swift
    /// @Shared(value: 0) var count
    /// ```
    public init(value: sending Value, fileID: StaticString = #fileID, line: UInt = #line) {
      let cell = TypedCell(value)
      cell.declaration = Declaration(at: CallSite(fileID: fileID, line: line))
      self.init(cell)
    }
  }

  extension TrackedCell {
    /// Where the value was declared, as a sentence after a space; empty where that is not known.
    var declaration: UTF8Text {
      cell.declaration.site.map { " The value is declared at \($0.text)." } ?? ""
    }
  }
#endif
