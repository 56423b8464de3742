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

    /// Runs an asynchronous operation, and what it calls, with this environment as ``current``; see
    /// the other `run`.
    nonisolated(nonsending) public func run<Output, Failure: Error>(
      _ operation: nonisolated(nonsending) () async throws(Failure) -> Output
    ) async throws(Failure) -> Output {
      var outcome: Result<Output, Failure>?
      await Self.$innermost.withValue(self) { outcome = await Result(of: operation) }
      return try outcome!.get()
    }
  }

  extension Result {
    /// The outcome of an asynchronous operation.
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
