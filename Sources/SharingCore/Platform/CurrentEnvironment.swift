#if hasFeature(Embedded)
  extension SharingEnvironment {
    /// The innermost one that something runs in; nil outside of all.
    nonisolated(unsafe) static var scoped: SharingEnvironment?

    /// Calls `body` while `environment` is the innermost one.
    static func with(_ environment: SharingEnvironment, _ body: () -> Void) {
      let outer = scoped
      scoped = environment
      body()
      scoped = outer
    }
  }
#else
  extension SharingEnvironment {
    /// The innermost one that something runs in; nil outside of all.
    @TaskLocal static var scoped: SharingEnvironment?

    /// Calls `body` while `environment` is the innermost one of this task and its child tasks.
    static func with(_ environment: SharingEnvironment, _ body: () -> Void) {
      $scoped.withValue(environment, operation: body)
    }
  }
#endif
