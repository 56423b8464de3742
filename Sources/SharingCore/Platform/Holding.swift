#if hasFeature(Embedded)
  extension Unmanaged {
    /// Keeps the object, which another thread may let go of, until ``letGo()``. Embedded Swift for
    /// wasm has one thread, and what that lets go of in a turn, the turn keeps.
    @inline(__always)
    func hold() -> Self { self }

    /// Ends ``hold()``.
    @inline(__always)
    func letGo() {}
  }
#else
  extension Unmanaged {
    /// Keeps the object, which another thread may let go of, until ``letGo()``.
    @inline(__always)
    func hold() -> Self { retain() }

    /// Ends ``hold()``.
    @inline(__always)
    func letGo() { release() }
  }
#endif
