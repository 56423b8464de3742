import SharingCore
import WasiStorage

private enum Refusal: Error { case expected }

extension Trial {
  /// Runs a tracked scope and releases its tracker, which reports changes without assertions.
  func track(_ body: () -> Void) {
    SharedChangeTracker().track(body)
  }
}

extension Case {
  static let tracking: [Case] = [
    Case("R23", "a change that is asserted is no failure") { trial in
      @Shared(value: 0) var count
      trial.track {
        $count.withLock { $0 += 1 }
        $count.assert { $0 = 1 }
      }
      trial.expect(trial.issues.count, equals: 0)
    },
    Case("R23", "a change that is not asserted is a failure at its place") { trial in
      @Shared(value: 0) var count
      trial.track {
        $count.withLock({ $0 = 1 }, fileID: "Change.swift", line: 11)
        $count.withLock({ $0 = 2 }, fileID: "Change.swift", line: 12)
      }
      trial.expect(trial.issues.count, equals: 1)
      trial.expect(trial.lastIssue, contains: "Change.swift:11: Sharing: This change")
      trial.expect(trial.lastIssue, contains: "was not asserted")
    },
    Case("R23", "another value than was asserted is one failure, with places and values") { trial in
      @Shared(value: 5) var count
      trial.track {
        $count.withLock({ $0 = 6 }, fileID: "Change.swift", line: 11)
        $count.assert({ $0 = 7 }, fileID: "Assertion.swift", line: 22)
      }
      trial.expect(trial.issues.count, equals: 1)
      trial.expect(trial.lastIssue, contains: "Assertion.swift:22: Sharing: This ")
      trial.expect(trial.lastIssue, contains: "first changed at Change.swift:11")
      trial.expect(
        trial.lastIssue, contains: "\n    - 7\n    + 6\n\n(expected: -, actual: +)")
      trial.expect(trial.lastIssue, contains: "\n    - 5\n    + 6\n\n(before: -, after: +)")
    },
    Case("R23", "an assertion starts where the last one ended") { trial in
      @Shared(value: 0) var count
      trial.track {
        $count.withLock { $0 += 1 }
        $count.withLock { $0 += 1 }
        $count.assert { $0 += 2 }
        $count.withLock { $0 += 5 }
        $count.assert { $0 += 5 }
      }
      trial.expect(trial.issues.count, equals: 0)
    },
    Case("R23", "an assertion where nothing has changed is a failure") { trial in
      @Shared(value: 0) var count
      trial.track { $count.assert({ $0 = 0 }, fileID: "Assertion.swift", line: 22) }
      trial.expect(trial.issues.count, equals: 1)
      trial.expect(trial.lastIssue, contains: "Assertion.swift:22: Sharing: A change of this")
      trial.expect(trial.lastIssue, contains: "expected, but there was none")
    },
    Case("R23", "an assertion that has no tracker says so") { trial in
      @Shared(value: 0) var count
      $count.withLock { $0 = 1 }
      $count.assert { $0 = 1 }
      trial.expect(trial.issues.count, equals: 1)
      trial.expect(trial.lastIssue, contains: "SharedChangeTracker().track")
    },
    Case("R23", "a value that is what it was has not changed") { trial in
      @Shared(value: 0) var count
      trial.track {
        $count.withLock { $0 = 1 }
        $count.withLock { $0 = 0 }
      }
      trial.expect(trial.issues.count, equals: 0)
    },
    Case("R23", "what was changed before and after the scope does not count") { trial in
      @Shared(value: 0) var count
      $count.withLock { $0 = 1 }
      let tracker = SharedChangeTracker()
      tracker.track {}
      $count.withLock { $0 = 2 }
      trial.expect(tracker.hasChanges, equals: false)
    },
    Case("R23", "a scope can be opened again, to assert what was changed in it") { trial in
      @Shared(value: 0) var count
      let tracker = SharedChangeTracker()
      tracker.track { $count.withLock { $0 = 1 } }
      trial.expect(tracker.hasChanges, equals: true)
      tracker.track { $count.assert { $0 = 1 } }
      trial.expect(tracker.hasChanges, equals: false)
      trial.expect(trial.issues.count, equals: 0)
    },
    Case("R23", "one closure asserts several values after a scope has ended") { trial in
      @Shared(value: 0) var count
      @Shared(.inMemory("name")) var name = ""
      let tracker = SharedChangeTracker()
      tracker.track {
        $count.withLock { $0 = 1 }
        $name.withLock { $0 = "Ada" }
      }
      trial.expect(tracker.hasChanges, equals: true)
      let both = tracker.assert {
        $count.assert { $0 = 1 }
        $name.assert { $0 = "Ada" }
        return count
      }
      trial.expect(both, equals: 1)
      trial.expect(tracker.hasChanges, equals: false)
      trial.expect(trial.issues.count, equals: 0)
    },
    Case("R23", "a change in the closure that asserts is none of the tracker's") { trial in
      @Shared(value: 0) var count
      let tracker = SharedChangeTracker()
      tracker.assert {
        trial.expect(SharedChangeTracker.current != nil, equals: true)
        $count.withLock { $0 = 1 }
      }
      trial.expect(tracker.hasChanges, equals: false)
      tracker.track { $count.withLock { $0 = 2 } }
      tracker.assert { $count.assert { $0 = 3 } }
      trial.expect(trial.issues.count, equals: 1)
      trial.expect(trial.lastIssue, contains: "is not what was asserted")
      trial.expect(SharedChangeTracker.current == nil, equals: true)
    },
    Case("R23", "the innermost of nested scopes hears of a change") { trial in
      @Shared(value: 0) var count
      let outer = SharedChangeTracker()
      outer.track {
        let inner = SharedChangeTracker()
        inner.track { $count.withLock { $0 = 1 } }
        trial.expect(inner.hasChanges, equals: true)
        inner.reset()
        $count.withLock { $0 = 2 }
        $count.assert { $0 += 1 }
      }
      trial.expect(outer.hasChanges, equals: false)
      trial.expect(trial.issues.count, equals: 0)
    },
    Case("R23", "failures can be received by a closure") { trial in
      let failures = Log()
      let tracker = SharedChangeTracker { failures.append(Int($0.line ?? 0)) }
      @Shared(value: 0) var count
      tracker.track { $count.assert({ $0 = 1 }, fileID: "Assertion.swift", line: 22) }
      trial.expect(failures.numbers, equals: [22])
      trial.expect(trial.issues.count, equals: 0)
    },
    Case("R23", "changes of observers and of batches count") { trial in
      @Shared(value: 0) var count
      @Shared(value: 0) var double
      let token = observe { $double.withLock { $0 = 2 * count } }
      trial.track {
        batch {
          $count.withLock { $0 = 1 }
          $count.withLock { $0 = 2 }
        }
        $count.assert { $0 = 2 }
        $double.assert { $0 = 4 }
      }
      trial.expect(trial.issues.count, equals: 0)
      token.cancel()
    },
    Case("R23", "what a closure throws asserts nothing, and goes on") { trial in
      @Shared(value: 0) var count
      var caught = false
      trial.track {
        $count.withLock { $0 = 1 }
        do throws(Refusal) {
          try $count.assert { _ throws(Refusal) in throw .expected }
        } catch {
          caught = true
        }
        $count.assert { $0 = 1 }
      }
      trial.expect(caught, "nothing was thrown")
      trial.expect(trial.issues.count, equals: 0)
    },
  ]
}
