#if hasFeature(Embedded)
  extension SharedReaderKey {
    /// Nil: Embedded Swift cannot ask for a conformance.
    var savingConnection: _SharedConnection? { nil }
  }
#else
  extension SharedReaderKey {
    /// The connection of a key that also saves, maybe under a condition such as
    /// `extension Logged: SharedKey where Base: SharedKey`; nil if the key only reads.
    var savingConnection: _SharedConnection? { (self as? any SharedKey)?._makeConnection() }
  }
#endif
