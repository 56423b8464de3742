#if hasFeature(Embedded)
  /// A reference that does not keep its object alive. Embedded Swift has no `weak`, so whoever
  /// keeps one must say so when the object says in its `deinit` that it goes, or drop it.
  struct WeakReference<Object: AnyObject> {
    private var unmanaged: Unmanaged<Object>?

    init(_ object: Object?) {
      unmanaged = object.map { .passUnretained($0) }
    }

    var object: Object? {
      unmanaged?.takeUnretainedValue()
    }

    mutating func objectGoes() {
      unmanaged = nil
    }
  }
#else
  /// A reference that does not keep its object alive.
  struct WeakReference<Object: AnyObject> {
    private(set) weak var object: Object?

    init(_ object: Object?) {
      self.object = object
    }

    /// Does nothing: other threads may be reading the reference, which knows by itself.
    func objectGoes() {}
  }
#endif
