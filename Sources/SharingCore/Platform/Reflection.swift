// Embedded Swift has no reflection.
#if !hasFeature(Embedded)
  extension Shared: CustomReflectable {
    /// The value, for `dump`, the debugger and test frameworks.
    public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
  }

  extension SharedReader: CustomReflectable {
    /// The value, for `dump`, the debugger and test frameworks.
    public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
  }
#endif
