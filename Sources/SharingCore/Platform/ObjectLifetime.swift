#if hasFeature(Embedded)
  /// A reference that does not retain its object. Embedded Swift has no `weak`: the owner of the
  /// reference must call ``objectGoes()`` from the object's `deinit`, or drop the reference.
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
  /// A reference that does not retain its object.
  struct WeakReference<Object: AnyObject> {
    private(set) weak var object: Object?

    init(_ object: Object?) {
      self.object = object
    }

    /// Does nothing: other threads may read the reference, and `weak` sets it to nil.
    func objectGoes() {}
  }
#endif
