#if hasFeature(Embedded)
  /// The source of a publisher's values.
  struct PublisherSource {
    private let kept: Handle

    static func kept(_ handle: Handle) -> Self { Self(kept: handle) }

    /// Returns the value. The caller retains the handle, so no reference is counted for it.
    @inline(__always)
    func value<Value>() -> Value? {
      Unmanaged.passUnretained(kept)._withUnsafeGuaranteedRef {
        let value: Value = $0.valueInCaller()
        return value
      }
    }
  }
#else
  /// The source of a publisher's values.
  enum PublisherSource {
    case kept(Handle)
    /// The handle that a closure returns, nil if that is gone.
    case found(() -> Handle?)

    /// Returns the value, nil if the handle is gone.
    func value<Value>() -> Value? {
      let handle: Handle? =
        switch self {
        case .kept(let handle): handle
        case .found(let find): find()
        }
      guard let handle else { return nil }
      let value: Value = handle.value()
      return value
    }
  }
#endif
