#if hasFeature(Embedded)
  /// What a publisher's values are read through.
  struct PublisherSource {
    private let kept: Handle

    static func kept(_ handle: Handle) -> Self { Self(kept: handle) }

    @inline(__always)
    var handle: Handle? { kept }
  }
#else
  /// What a publisher's values are read through.
  enum PublisherSource {
    case kept(Handle)
    /// What a closure answers with; nil when that is gone.
    case found(() -> Handle?)

    @inline(__always)
    var handle: Handle? {
      switch self {
      case .kept(let handle): handle
      case .found(let find): find()
      }
    }
  }
#endif
