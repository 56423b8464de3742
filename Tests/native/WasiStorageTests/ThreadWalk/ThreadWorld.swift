import Foundation
import RandomSteps
import SharingCore
import SharingTesting
import WasiStorage

/// The shared state of a walk's threads: counters and rows over every kind of store.
final class ThreadWorld: @unchecked Sendable {
  let environment = SharingEnvironment()
  let clock = ManualClock()
  private let memory = MemoryStore()
  private let files: FileStore
  private let outside = AnsweringOutside()
  private let relay: Relay
  /// Two in memory, a debounced one, one in a file, one whose key answers on its own thread, and
  /// one that other threads change while it is saved.
  let counters: [Shared<Int>]
  let rows: Shared<[ThreadRow]>
  let resettable: Shared<Int>
  /// One in memory, and one in a file.
  let flags: [Shared<Bool>]
  /// Values that only other programs change; the second one is debounced.
  let told: [Shared<Int>]
  /// Points at one of the first two counters.
  let pointer: Shared<Int>
  private let seen: [Shared<Int>]
  private let seenRows = Shared(value: [ThreadRow]())
  private var tokens: [ObservationToken] = []
  private let issues = Issues()

  init(folder: String, seed: UInt64) {
    files = FileStore(folder: UTF8Text(folder))
    environment.stores.local = memory
    environment.stores.clock = clock
    environment.onIssue = { [issues] in issues.add($0.description) }
    var random = SplitMix64(seed: seed)
    let relay = Relay(changes: random.below(160))
    let (outside, files) = (outside, files)
    (counters, rows, resettable, flags, told) = environment.run {
      (
        [
          Shared(wrappedValue: 0, .localStorage("a")), Shared(wrappedValue: 0, .localStorage("b")),
          Shared(wrappedValue: 0, .localStorage("late", saving: .debounced(milliseconds: 3))),
          Shared(wrappedValue: 0, .appStorage("count", store: files)),
          Shared(wrappedValue: 0, AnsweringKey(outside: outside)),
          Shared(wrappedValue: 0, RelayKey(relay: relay)),
        ],
        Shared(wrappedValue: (0..<3).map { ThreadRow(id: $0) }, .localStorage("rows")),
        Shared(wrappedValue: 0, .localStorage("resettable")),
        [
          Shared(wrappedValue: false, .localStorage("flag")),
          Shared(wrappedValue: false, .appStorage("flag", store: files)),
        ],
        [
          Shared(wrappedValue: 0, .localStorage("told 0")),
          Shared(wrappedValue: 0, .localStorage("told 1", saving: .debounced(milliseconds: 3))),
        ]
      )
    }
    relay.counter = counters[5]
    self.relay = relay
    pointer = Shared(
      projectedValue: environment.run { Shared(wrappedValue: 0, .localStorage("a")) })
    seen = counters.map { _ in Shared(value: 0) }
    observeAll()
  }

  private func observeAll() {
    for (counter, seen) in zip(counters, seen) {
      tokens.append(
        observe {
          let number = counter.wrappedValue
          seen.withLock { $0 = number }
        })
    }
    tokens.append(
      rows.observeElements { [seenRows] rows, changes in
        seenRows.withLock { Self.apply(changes, of: rows, to: &$0) }
      })
  }

  /// Maintains a copy from the reported changes of elements.
  private static func apply(
    _ changes: ElementChanges, of rows: [ThreadRow], to copy: inout [ThreadRow]
  ) {
    switch changes {
    case .anything: copy = rows
    case .removed(let position): copy.remove(at: position)
    case .changed(let positions):
      for position in positions {
        if position < copy.count {
          copy[position] = rows[position]
        } else {
          copy.append(rows[position])
        }
      }
    }
  }

  /// Waits for pending work.
  /// - Returns: Whether it has ended.
  func settle() -> Bool {
    environment.stores.flush()
    return outside.settle()
  }

  func end() {
    for token in tokens { token.cancel() }
    outside.end()
    relay.counter = nil  // breaks a cycle: its key has the relay
  }

  /// Stores a text, like another program.
  func write(_ text: String, _ number: Int) {
    memory.set(Array(text.utf8), for: KeyName("told \(number)"))
  }

  // MARK: Afterwards

  func problems(after walks: [ThreadSteps]) -> [String] {
    var problems = issues.all
    for (number, counter) in counters.enumerated() {
      let value = counter.wrappedValue
      if number > 1 { expect(value, sum(of: number, walks), "counter \(number)", &problems) }
      expect(stored(number), value == 0 ? stored(number) : value, "what is stored of it", &problems)
      expect(seen[number].wrappedValue, value, "what its observer has seen last", &problems)
      if let error = counter.saveError { problems.append("counter \(number): \(error)") }
      if counter.isLoading { problems.append("counter \(number) is still loading") }
    }
    let byPointer = walks.reduce(0) { $0 + $1.steps.count { $0 == .addByPointer } }
    let both = counters[0].wrappedValue + counters[1].wrappedValue
    expect(both, sum(of: 0, walks) + sum(of: 1, walks) + byPointer, "the first two", &problems)
    checkRows(walks, &problems)
    let left = decoded("resettable", Int.self) ?? 0
    expect(left, resettable.wrappedValue, "what can be reset", &problems)
    for (number, told) in told.enumerated() {
      let name = "what other programs have stored last (\(number))"
      expect(told.wrappedValue, decoded("told \(number)", Int.self) ?? 0, name, &problems)
      if let error = told.loadError { problems.append("\(name): \(error)") }
    }
    for (number, flag) in flags.enumerated() { check(flag, number, walks, &problems) }
    return problems
  }

  private func check(
    _ flag: Shared<Bool>, _ number: Int, _ walks: [ThreadSteps], _ problems: inout [String]
  ) {
    let flips = walks.reduce(0) { $0 + $1.steps.count { $0 == .flip(number) } }
    expect(flag.wrappedValue ? 1 : 0, flips % 2, "flag \(number)", &problems)
    guard flips > 0 else { return }
    let store: any KeyValueStore = number == 0 ? memory : files
    let bytes = (try? store.bytes(for: KeyName("flag"))) ?? nil
    let text = bytes.map { String(decoding: $0, as: UTF8.self) }
    if text != "\(flag.wrappedValue)" {
      problems.append("flag \(number) is stored as \(text ?? "nothing")")
    }
  }

  private func checkRows(_ walks: [ThreadSteps], _ problems: inout [String]) {
    let rows = rows.wrappedValue
    for id in 0..<3 {
      let sum = walks.reduce(0) { $0 + $1.steps.count { $0 == .addToRow(id) } }
      expect(rows.first { $0.id == id }?.number ?? -1, sum, "row \(id)", &problems)
    }
    let own = rows.dropFirst(3).map { $0.id }.sorted()
    if own != walks.flatMap({ $0.rows }).sorted() { problems.append("the rows are \(own)") }
    let stored = decoded("rows", [ThreadRow].self)
    if stored != rows, stored != nil || rows.count > 3 { problems.append("other rows are stored") }
    if seenRows.wrappedValue != rows { problems.append("the rows' observer has seen others") }
  }

  private func sum(of counter: Int, _ walks: [ThreadSteps]) -> Int {
    walks.reduce(0) { $0 + $1.sum(of: counter) } + (counter == 5 ? relay.changesMade : 0)
  }

  private func stored(_ number: Int) -> Int {
    switch number {
    case 0: decoded("a", Int.self) ?? 0
    case 1: decoded("b", Int.self) ?? 0
    case 2: decoded("late", Int.self) ?? 0
    case 3:
      ((try? files.bytes(for: KeyName("count"))) ?? nil).flatMap {
        Int(String(decoding: $0, as: UTF8.self))
      } ?? 0
    case 4: outside.stored
    default: relay.stored
    }
  }

  private func decoded<Value: JSONValue>(_ key: String, _: Value.Type) -> Value? {
    memory.bytes(for: KeyName(key)).flatMap { try? JSON.decode(Value.self, from: $0) }
  }

  private func expect(_ actual: Int, _ expected: Int, _ what: String, _ problems: inout [String]) {
    if actual != expected { problems.append("\(what): \(actual) is not \(expected)") }
  }
}

struct ThreadRow: JSONCodable, Identifiable, Equatable {
  var id = 0
  var number = 0

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("id", &id)
    try json.field("number", &number)
  }
}

private final class Issues: @unchecked Sendable {
  private let lock = NSLock()
  private var texts: [String] = []

  var all: [String] { lock.withLock { texts } }

  func add(_ text: String) { lock.withLock { texts.append(text) } }
}
