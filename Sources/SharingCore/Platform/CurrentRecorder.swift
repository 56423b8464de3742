#if hasFeature(Embedded)
  extension ChangeRecorder {
    /// Who hears of changes now; nil unless a tracked scope is open.
    nonisolated(unsafe) private(set) static var current: ChangeRecorder?

    /// Calls `body` while `recorder` hears of changes.
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
    /// Who hears of this task's changes now; nil unless a tracked scope is open.
    static var current: ChangeRecorder? {
      openScopes.load(ordering: .relaxed) == 0 ? nil : innermost
    }

    @TaskLocal private static var innermost: ChangeRecorder?

    /// How many tracked scopes are open in all tasks: where there are none, which is in every
    /// program that is not a test, a change pays for one load and not for a task-local value.
    private static let openScopes = Atomic(0)

    /// Calls `body` while `recorder` hears of the changes of this task and its child tasks.
    static func with(_ recorder: ChangeRecorder, _ body: () -> Void) {
      openScopes.add(1, ordering: .relaxed)
      defer { openScopes.subtract(1, ordering: .relaxed) }
      $innermost.withValue(recorder, operation: body)
    }

    /// Calls `body` while `recorder`, or nobody, hears of the changes of this task and its child
    /// tasks.
    nonisolated(nonsending) static func with(
      _ recorder: ChangeRecorder?, _ body: nonisolated(nonsending) () async -> Void
    ) async {
      openScopes.add(1, ordering: .relaxed)
      defer { openScopes.subtract(1, ordering: .relaxed) }
      await $innermost.withValue(recorder, operation: body)
    }
  }
#endif
