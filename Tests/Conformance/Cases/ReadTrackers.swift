import SharingCore
import WasiStorage

/// Writes its calls to a log: 1 for a read, 2 before a change, 3 after it.
private final class LoggingTracker: ReadTracker {
  private let log: Log

  init(_ log: Log) { self.log = log }

  override func didRead() { log.append(1) }
  override func willChange() { log.append(2) }
  override func didChange() { log.append(3) }
}

/// Knows which view is rendering, as a framework does.
///
/// Each case has a framework of its own, since cases run at the same time on other threads.
private final class Framework: @unchecked Sendable {
  var rendering: View?
}

/// Renders again when something has changed that it has read, as a framework does for its views.
private final class View: @unchecked Sendable {
  private let framework: Framework
  private let body: () -> Void
  private(set) var isStale = false

  init(of framework: Framework, _ body: @escaping () -> Void) {
    self.framework = framework
    self.body = body
    render()
  }

  func invalidate() { isStale = true }

  func render() {
    let outer = framework.rendering
    isStale = false
    framework.rendering = self
    body()
    framework.rendering = outer
  }
}

private final class ViewTracker: ReadTracker {
  private let framework: Framework
  private var readers: [View] = []

  init(of framework: Framework) { self.framework = framework }

  override func didRead() {
    if let view = framework.rendering { readers.append(view) }
  }

  override func didChange() {
    let stale = readers
    readers = []
    for view in stale { view.invalidate() }
  }
}

extension Case {
  static let readTrackers: [Case] = [
    Case("R8", "a tracker is called for each read, before each change and after it") { trial in
      let log = Log()
      trial.environment.makeReadTracker = { LoggingTracker(log) }
      @Shared(value: 1) var count
      _ = count
      $count.withLock { $0 += 1 }
      _ = count
      trial.expect(log.numbers, equals: [1, 2, 3, 1])
    },
    Case("R8", "a value has one tracker, through all wrappers, and copies have none") { trial in
      let made = Log()
      trial.environment.makeReadTracker = {
        made.append(1)
        return ReadTracker()
      }
      @Shared(.localStorage("count")) var count = 0
      @Shared(.localStorage("count")) var other = 0
      $count.withLock { $0 += 1 }
      trial.expect(other, equals: 1)
      $other.withLock { $0 += 1 }
      trial.expect(count, equals: 2)
      trial.expect(made.numbers, equals: [1])
    },
    Case("R8", "a read of a part is a read of the value, and so is a change of one") { trial in
      let log = Log()
      trial.environment.makeReadTracker = { LoggingTracker(log) }
      @Shared(value: [1, 2]) var numbers
      _ = $numbers[0].wrappedValue
      $numbers[1].withLock { $0 = 3 }
      trial.expect(log.numbers.filter { $0 == 2 }, equals: [2])
      trial.expect(log.numbers.filter { $0 == 3 }, equals: [3])
      trial.expect(log.numbers.first == 1, equals: true)
    },
    Case("R8", "a value that was made before the tracker has none") { trial in
      let log = Log()
      @Shared(value: 1) var count
      trial.environment.makeReadTracker = { LoggingTracker(log) }
      $count.withLock { $0 = 2 }
      trial.expect(log.numbers, equals: [])
    },
    Case("R8", "a tracker that is set after a value with a key was made is an issue") { trial in
      do {
        @Shared(.localStorage("count")) var count = 0
        trial.expect(count, equals: 0)
      }
      trial.environment.makeReadTracker = nil
      trial.expect(trial.issues.count, equals: 0)
      trial.environment.makeReadTracker = { ReadTracker() }
      trial.expect(trial.issues.count, equals: 1)
      trial.expect(trial.lastIssue, contains: "'makeReadTracker' is set after")
    },
    Case("R8", "a tracker may read its value, and others, when it is called") { trial in
      let seen = Log()
      let count = Shared(value: 1)
      let own = Holder()
      trial.environment.makeReadTracker = {
        ReadingTracker { seen.append(count.wrappedValue * 10 + (own.value?.wrappedValue ?? 0)) }
      }
      let value = Shared(value: 5)
      own.value = value
      trial.expect(value.wrappedValue, equals: 5)
      value.withLock { $0 = 6 }
      trial.expect(seen.numbers, equals: [15, 15, 16])
      own.value = nil
    },
    Case("R8", "views of a framework render again what they have read, and only that") { trial in
      let framework = Framework()
      trial.environment.makeReadTracker = { ViewTracker(of: framework) }
      @Shared(.localStorage("count")) var count = 0
      @Shared(value: 0) var other
      let shown = Log()
      let view = View(of: framework) { shown.append(count) }
      $other.withLock { $0 = 1 }
      trial.expect(view.isStale, equals: false)
      $count.withLock { $0 = 7 }
      trial.expect(view.isStale, equals: true)
      view.render()
      $count.withLock { $0 = 8 }
      trial.expect(view.isStale, equals: true)
      view.render()
      trial.expect(shown.numbers, equals: [0, 7, 8])
    },
    Case("R8", "a change by another program is a change for a tracker") { trial in
      let framework = Framework()
      trial.environment.makeReadTracker = { ViewTracker(of: framework) }
      @Shared(.localStorage("count")) var count = 0
      let view = View(of: framework) { _ = count }
      trial.store["count"] = "5"
      trial.store.notify("count")
      trial.expect(view.isStale, equals: true)
      trial.expect(count, equals: 5)
    },
  ]
}

private final class Holder: @unchecked Sendable {
  var value: Shared<Int>?
}

/// Does something whenever it is told of a read or a change, but not while it does it.
private final class ReadingTracker: ReadTracker {
  private let act: () -> Void
  private var isActing = false

  init(_ act: @escaping () -> Void) { self.act = act }

  override func didRead() { actOnce() }
  override func willChange() { actOnce() }
  override func didChange() { actOnce() }

  private func actOnce() {
    if isActing { return }
    isActing = true
    act()
    isActing = false
  }
}
