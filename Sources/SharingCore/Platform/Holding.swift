#if hasFeature(Embedded)
  extension Unmanaged {
    /// Retains the object until ``endHold()``, because another thread may release it. Embedded
    /// Swift for wasm has one thread, and a turn retains the objects that it releases.
    @inline(__always)
    func hold() -> Self { self }

    /// Ends ``hold()``.
    @inline(__always)
    func endHold() {}
  }
#else
  extension Unmanaged {
    /// Retains the object until ``endHold()``, because another thread may release it.
    @inline(__always)
    func hold() -> Self { retain() }

    /// Ends ``hold()``.
    @inline(__always)
    func endHold() { release() }
  }
#endif
