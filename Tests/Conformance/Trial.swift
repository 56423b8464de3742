import SharingCore
import WasiStorage

/// One run of one case: its store, its environment, and its failures.
package final class Trial: @unchecked Sendable {
  /// The host of the case.
  let host: Host
  /// The host's own store.
  let hostStore: any KeyValueStore
  /// The host's address of a page.
  let hostLocation: any KeyValueStore
  /// The host's store behind a double that counts and fails on demand.
  let store: ScriptedStore
  /// The environment of the case.
  let environment: SharingEnvironment
  private(set) var failures: [String] = []
  private var reported: [String] = []
  private var isAskedForIssues = false

  /// The reported issues. A case that does not read them must have none.
  var issues: [String] {
    isAskedForIssues = true
    return reported
  }

  /// The text of the last issue.
  var lastIssue: UTF8Text? { issues.last.map { UTF8Text($0) } }

  init(on host: Host) {
    self.host = host
    hostStore = host.makeStore()
    hostLocation = host.makeLocation()
    store = ScriptedStore(over: hostStore)
    environment = SharingEnvironment()
    environment.stores.local = store
    environment.onIssue = { [unowned(unsafe) self] in reported.append($0.description) }
  }

  /// Runs `body` as another program over the same store. It receives no notifications of this one's
  /// changes unless the store sends them.
  func inAnotherProgram(_ body: () -> Void) {
    let other = SharingEnvironment()
    other.stores.local = store.sibling()
    other.run(body)
  }

  /// Adds the failures that are detected at the end of the case.
  func finish() {
    if !isAskedForIssues { failures += reported }
  }

  func expect(_ condition: Bool, _ what: String, line: UInt = #line) {
    if !condition { failures.append("line \(line): \(what)") }
  }

  func expect(_ actual: Int, equals expected: Int, line: UInt = #line) {
    expect(actual == expected, "\(actual) is not \(expected)", line: line)
  }

  func expect(_ actual: Bool, equals expected: Bool, line: UInt = #line) {
    expect(actual == expected, "\(actual) is not \(expected)", line: line)
  }

  func expect(_ actual: String?, equals expected: String?, line: UInt = #line) {
    let same = actual.map { UTF8Text($0) } == expected.map { UTF8Text($0) }
    expect(same, "\(actual ?? "nil") is not \(expected ?? "nil")", line: line)
  }

  func expect(_ actual: UTF8Text?, contains part: UTF8Text, line: UInt = #line) {
    let bytes = actual?.bytes ?? []
    let part = part.bytes
    let isFound = (0...max(0, bytes.count - part.count)).contains {
      bytes[$0...].starts(with: part)
    }
    expect(isFound, "\(UTF8Text(part)) is not in \(UTF8Text(bytes))", line: line)
  }

  func expect(_ actual: [Int], equals expected: [Int], line: UInt = #line) {
    expect(actual == expected, "\(text(actual)) is not \(text(expected))", line: line)
  }

  func expect(
    _ store: any KeyValueStore, _ key: String, equals expected: String?, line: UInt = #line
  ) {
    let bytes = (try? store.bytes(for: KeyName(key))) ?? nil
    expect(bytes.map { String(decoding: $0, as: UTF8.self) }, equals: expected, line: line)
  }

  private func text(_ numbers: [Int]) -> String {
    "[\(numbers.map { "\($0)" }.joined(separator: ", "))]"
  }
}

/// A log of events; the observers of a case write into it.
final class Log: @unchecked Sendable {
  private(set) var numbers: [Int] = []

  var count: Int { numbers.count }

  func append(_ number: Int) {
    numbers.append(number)
  }
}

/// Returns the reason of an error; all errors of these cases are of the same type.
func reason(of error: AnyError) -> StorageError.Reason {
  StorageError.from(error, otherwise: .other).reason
}

/// Returns all that an error says: its key, the message for the person, and the advice.
func details(of error: AnyError) -> UTF8Text {
  StorageError.from(error, otherwise: .other).text
}

/// Returns the keys of a store of this library, in byte order.
func listedKeys(of store: any KeyValueStore) -> [KeyName] {
  let keys: [KeyName]? =
    if let store = store as? FileStore {
      try? store.keys()
    } else if let store = store as? BrowserStore {
      try? store.keys()
    } else {
      (store as? MemoryStore)?.keys()
    }
  return (keys ?? []).sorted { $0.precedes($1) }
}
