#if hasFeature(Embedded)
  /// What a publisher's values are read through.
  struct PublisherSource {
    private let kept: Handle

    static func kept(_ handle: Handle) -> Self { Self(kept: handle) }

    /// What is read; whoever calls this keeps the handle, and no reference is counted for it.
    @inline(__always)
    func value<Value>() -> Value? {
      Unmanaged.passUnretained(kept)._withUnsafeGuaranteedRef {
        let value: Value = $0.valueInCaller()
        return value
      }
    }
  }
#else
  /// What a publisher's values are read through.
  enum PublisherSource {
    case kept(Handle)
    /// What a closure answers with; nil when that is gone.
    case found(() -> Handle?)

    /// What is read; nil when nothing is there to read it through.
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
