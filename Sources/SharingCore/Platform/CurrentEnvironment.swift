#if hasFeature(Embedded)
  extension SharingEnvironment {
    nonisolated(unsafe) static var innermost = SharingEnvironment()

    /// Calls `body` while `environment` is the innermost one.
    static func with(_ environment: SharingEnvironment, _ body: () -> Void) {
      let outer = innermost
      innermost = environment
      body()
      innermost = outer
    }
  }
#else
  extension SharingEnvironment {
    @TaskLocal static var innermost = SharingEnvironment()

    /// Calls `body` while `environment` is the innermost one of this task and its child tasks.
    static func with(_ environment: SharingEnvironment, _ body: () -> Void) {
      $innermost.withValue(environment, operation: body)
    }
  }
#endif
