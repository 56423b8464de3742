#if hasFeature(Embedded)
  /// A reference that does not keep its object alive. Embedded Swift has no `weak`, so whoever
  /// keeps one must drop it when the object says in its `deinit` that it goes.
  struct WeakReference<Object: AnyObject> {
    private let unmanaged: Unmanaged<Object>?

    init(_ object: Object?) {
      unmanaged = object.map { .passUnretained($0) }
    }

    var object: Object? {
      unmanaged?.takeUnretainedValue()
    }
  }
#else
  /// A reference that does not keep its object alive.
  struct WeakReference<Object: AnyObject> {
    private(set) weak var object: Object?

    init(_ object: Object?) {
      self.object = object
    }
  }
#endif
