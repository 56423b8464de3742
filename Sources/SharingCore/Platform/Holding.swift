#if hasFeature(Embedded)
  extension Unmanaged {
    /// Retains the object, which another thread may release, until ``endHold()``. Embedded Swift
    /// for wasm has one thread, and what that releases in a turn, the turn retains.
    @inline(__always)
    func hold() -> Self { self }

    /// Ends ``hold()``.
    @inline(__always)
    func endHold() {}
  }
#else
  extension Unmanaged {
    /// Retains the object, which another thread may release, until ``endHold()``.
    @inline(__always)
    func hold() -> Self { retain() }

    /// Ends ``hold()``.
    @inline(__always)
    func endHold() { release() }
  }
#endif
