// Embedded Swift has no reflection.
#if !hasFeature(Embedded)
  extension Shared: CustomReflectable {
    /// What `dump`, the debugger and test frameworks see: the value.
    public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
  }

  extension SharedReader: CustomReflectable {
    /// What `dump`, the debugger and test frameworks see: the value.
    public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
  }
#endif
