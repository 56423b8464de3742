#if hasFeature(Embedded)
  extension ChangeRecorder {
    /// The recorder of changes, nil unless a tracked scope is open.
    nonisolated(unsafe) private(set) static var current: ChangeRecorder?

    /// Calls `body` with `recorder` as the current one.
    static func with(_ recorder: ChangeRecorder, _ body: () -> Void) {
      let outer = current
      current = recorder
      body()
      current = outer
    }
  }
#else
  import Synchronization

  extension ChangeRecorder {
    /// The recorder of this task's changes, nil unless a tracked scope is open.
    static var current: ChangeRecorder? {
      openScopes.load(ordering: .relaxed) == 0 ? nil : innermost
    }

    @TaskLocal private static var innermost: ChangeRecorder?

    /// The number of open tracked scopes in all tasks. It is 0 in every program that is not a test;
    /// a change then costs one load and not the read of a task-local value.
    private static let openScopes = Atomic(0)

    /// Calls `body` with `recorder` as the one of this task and its child tasks.
    static func with(_ recorder: ChangeRecorder, _ body: () -> Void) {
      openScopes.add(1, ordering: .relaxed)
      defer { openScopes.subtract(1, ordering: .relaxed) }
      $innermost.withValue(recorder, operation: body)
    }

    /// Calls `body` with `recorder`, or with none, for this task and its child tasks.
    nonisolated(nonsending) static func with(
      _ recorder: ChangeRecorder?, _ body: nonisolated(nonsending) () async -> Void
    ) async {
      openScopes.add(1, ordering: .relaxed)
      defer { openScopes.subtract(1, ordering: .relaxed) }
      await $innermost.withValue(recorder, operation: body)
    }
  }
#endif
