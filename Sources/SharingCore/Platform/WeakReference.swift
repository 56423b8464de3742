#if hasFeature(Embedded)
  /// A reference that does not keep its object alive. Embedded Swift has no `weak`, so whoever keeps
  /// one must drop it when the object says in its `deinit` that it goes.
  struct WeakReference<Object: AnyObject> {
    private let unmanaged: Unmanaged<Object>

    init(_ object: Object) {
      unmanaged = .passUnretained(object)
    }

    var object: Object? {
      unmanaged.takeUnretainedValue()
    }

    /// Whether the object is the one that says in its `deinit` that it goes.
    func isGone(_ leaving: ObjectIdentifier) -> Bool {
      UnsafeRawPointer(unmanaged.toOpaque())
        == UnsafeRawPointer(bitPattern: UInt(bitPattern: leaving))
    }
  }
#else
  /// A reference that does not keep its object alive.
  struct WeakReference<Object: AnyObject> {
    private(set) weak var object: Object?

    init(_ object: Object) {
      self.object = object
    }

    /// Whether the object has gone, which it has for others as soon as its `deinit` begins.
    func isGone(_ leaving: ObjectIdentifier) -> Bool {
      object == nil
    }
  }
#endif
