import SharingCore
import SharingTestDoubles
import WasiStorage

/// A long-running program: every turn performs one of the typical actions of programs, with texts
/// and lists of all sizes. The live data is bounded, so its memory must be bounded, too.
package final class Soak {
  private let environment = SharingEnvironment()
  private let clock = ManualClock()
  private let store = MemoryStore()
  private var state: UInt32 = 1
  private var rows: [Row] = []
  private var tokens: [ObservationToken] = []
  private var shown = 0

  package init() {
    environment.stores.local = store
    environment.stores.clock = clock
  }

  /// Runs a number of turns.
  package func run(turns: Int) {
    environment.run {
      @Shared(.localStorage("users")) var users: [User] = []
      @Shared(.localStorage("draft", saving: .debounced(milliseconds: 5))) var draft = ""
      rows = [Row($users)]
      for _ in 1...turns { batch { turn($users, $draft) } }
      (rows, tokens) = ([], [])
    }
  }

  /// A row that shows the users.
  private struct Row {
    let users: Shared<[User]>
    let ages: SharedReader<Int>

    init(_ users: Shared<[User]>) {
      self.users = users
      ages = users.read { $0.reduce(0) { $0 + $1.age } }
    }
  }

  private func turn(_ users: Shared<[User]>, _ draft: Shared<String>) {
    switch below(12) {
    case 0: add(users)
    case 1: users.withLock { if !$0.isEmpty { $0.removeFirst() } }
    case 2 where !users.isEmpty: rename(users[below(users.count)])
    case 3 where !users.isEmpty: users[below(users.count)].scores.withLock { resize(&$0) }
    case 4: draft.withLock { $0 = text(below(3000)) }
    case 5: clock.advance(by: below(10))
    case 6: observeSomething(users)
    case 7: useKey(named: below(20))
    case 8: writeElsewhere()
    case 9: if below(20) == 0 { users.reset() }
    case 10: if below(50) == 0 { environment.stores.flush() }
    default: shown += users.read { $0.count }.wrappedValue + rows[0].ages.wrappedValue
    }
  }

  private func add(_ users: Shared<[User]>) {
    users.withLock { list in
      var user = User()
      user.name = text(below(200))
      user.age = below(100)
      list.append(user)
      if list.count > 30 { list.removeFirst(10) }
    }
  }

  private func rename(_ user: Shared<User>) {
    user.name.withLock { $0 = text(below(600)) }
    user.address.street.withLock { $0 += text(below(20)) }
    user.address.street.withLock { if $0.utf8.count > 200 { $0 = "" } }
  }

  private func resize(_ scores: inout [Int]) {
    if scores.count > 100 { scores = [] } else { scores += 0..<below(20) }
  }

  private func observeSomething(_ users: Shared<[User]>) {
    if tokens.count > 10 { tokens.remove(at: below(tokens.count)) }
    guard !users.isEmpty else { return }
    let user = users[below(users.count)]
    tokens.append(
      observe { [self] in shown += user.age.wrappedValue + user.name.wrappedValue.utf8.count })
  }

  /// Uses a key for a short time.
  private func useKey(named number: Int) {
    let value = Shared<String?>(wrappedValue: nil, .localStorage("key \(number)"))
    value.withLock { $0 = $0 == nil || below(3) > 0 ? text(below(100) * below(100)) : nil }
    if let saved = Shared(value) { shown += saved.wrappedValue.utf8.count }
  }

  /// Writes like another program; the text may be corrupt.
  private func writeElsewhere() {
    let key = KeyName("key \(below(20))")
    store.set(below(10) == 0 ? [] : Array("\"\(text(below(500)))\"".utf8), for: key)
  }

  private func text(_ count: Int) -> String {
    String(decoding: [UInt8](repeating: UInt8(97 + below(26)), count: count), as: UTF8.self)
  }

  /// A linear congruential generator: https://en.wikipedia.org/wiki/Linear_congruential_generator
  private func below(_ count: Int) -> Int {
    state = state &* 1_664_525 &+ 1_013_904_223
    return Int(state >> 8) % count
  }
}
