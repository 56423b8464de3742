#if hasFeature(Embedded)
  extension SharingEnvironment {
    /// The environment of the innermost `run`, nil outside of any.
    nonisolated(unsafe) static var scoped: SharingEnvironment?

    /// Calls `body` with `environment` as the innermost one.
    static func with(_ environment: SharingEnvironment, _ body: () -> Void) {
      let outer = scoped
      scoped = environment
      body()
      scoped = outer
    }
  }
#else
  extension SharingEnvironment {
    /// The innermost one that something runs in, or else that of the test that is running; nil
    /// outside of all.
    static var scoped: SharingEnvironment? { innermost ?? ofTest?() }

    @TaskLocal private static var innermost: SharingEnvironment?

    /// Returns the environment of the test that is running, or nil. SharingTesting sets it before
    /// `main`; in other programs it is nil.
    nonisolated(unsafe) package static var ofTest: (@Sendable () -> SharingEnvironment?)?

    /// Calls `body` with `environment` as the innermost one of this task and its child tasks.
    static func with(_ environment: SharingEnvironment, _ body: () -> Void) {
      $innermost.withValue(environment, operation: body)
    }

    /// Runs an asynchronous operation with this environment as ``current``; see the other `run`.
    nonisolated(nonsending) public func run<Output, Failure: Error>(
      _ operation: nonisolated(nonsending) () async throws(Failure) -> Output
    ) async throws(Failure) -> Output {
      var outcome: Result<Output, Failure>?
      await Self.$innermost.withValue(self) { outcome = await Result(of: operation) }
      return try outcome!.get()
    }
  }

  extension Result {
    /// Creates the outcome of an asynchronous operation.
    nonisolated(nonsending) init(
      of operation: nonisolated(nonsending) () async throws(Failure) -> Success
    ) async {
      do throws(Failure) {
        self = .success(try await operation())
      } catch {
        self = .failure(error)
      }
    }
  }
#endif
