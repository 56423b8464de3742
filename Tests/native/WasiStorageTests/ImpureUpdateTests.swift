import SharingCommits
import SharingCore
import Synchronization
import Testing
import WasiStorage

/// A debug build reports updates that are not pure (rule R24).
struct ImpureUpdateTests {
  @Test func anUpdateThatMakesSomethingElseEachTimeIsReported() {
    let number = Mutex(0)
    let issues = issues { count in
      count.update { value in value += number.next() }
    }
    #expect(issues.count == 1)
    #expect(issues[0].contains("An update of .revisions(\"count\") has another result"))
  }

  @Test func anUpdateThatChangesOnlyItsArgumentIsNot() {
    let issues = issues { count in
      count.update { $0 += 1 }
      count.update { $0 *= 2 }
    }
    #expect(issues == [])
  }

  @Test func anUpdateOfAnOptionalValueWithADefaultIsNot() {
    let issues = issues { _ in
      @Shared(.revisions("limit", in: MemoryRevisionStore())) var limit: Int? = 5
      $limit.update { $0 = nil }
      $limit.update { $0 = ($0 ?? 0) + 1 }
      $limit.withLock { $0 = nil }
      $limit.update { $0 = ($0 ?? 0) + 1 }
      #expect(limit == 1)
    }
    #expect(issues == [])
  }

  private func issues(of body: (Shared<Int>) -> Void) -> [String] {
    let issues = Mutex<[String]>([])
    let environment = SharingEnvironment()
    environment.onIssue = { issue in issues.withLock { $0.append(issue.description) } }
    environment.run {
      @Shared(.revisions("count", in: MemoryRevisionStore())) var count = 0
      body($count)
    }
    return issues.withLock { $0 }
  }
}

extension Mutex where Value == Int {
  fileprivate borrowing func next() -> Int {
    withLock {
      $0 += 1
      return $0
    }
  }
}
