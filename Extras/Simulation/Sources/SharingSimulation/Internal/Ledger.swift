import SharingCore

/// The actions that one stored value must contain, in their order.
struct Ledger {
  /// The events that have led to the stored value, in the order of time.
  private var done: [Timed] = []
  /// The actions of each tab whose success is not known yet.
  private var pending: [Int: [Timed]] = [:]
  /// Tabs with pending actions of which some may be lost.
  private var uncertain: Set<Int> = []
  /// Whether the store has half of a text. The ledger then restarts with the next write.
  private(set) var isTorn = false
  private var now = 0

  enum Entry: Equatable {
    case action(Action)
    /// The bytes that replace any former value; nil for a removed value.
    case stored([UInt8]?)
  }

  /// An action in a tab.
  struct Action: Equatable {
    let tab: Int
    let name: String
    let number: Int
    /// The number of the action, and the index of the values that the tab showed before it.
    let shown: Int
    /// Whether it has set this value, also to an equal one.
    var isChange = true
  }

  private struct Timed {
    let time: Int
    var entry: Entry
  }

  /// The events that have led to the stored value.
  var entries: [Entry] { done.map { $0.entry } }

  /// Records an action as pending.
  mutating func begin(_ action: Action) {
    now += 1
    pending[action.tab, default: []].append(Timed(time: now, entry: .action(action)))
  }

  /// Records that the last action of a tab has not changed the value.
  mutating func recordNoChange(by action: Action) {
    guard var last = pending[action.tab]?.popLast() else { return }
    var action = action
    action.isChange = false
    last.entry = .action(action)
    pending[action.tab]?.append(last)
  }

  /// Drops the pending actions of a tab, which has reported their loss.
  mutating func lose(by tab: Int) {
    pending[tab] = nil
    uncertain.remove(tab)
  }

  /// Drops the pending actions of a tab before an action; the tab has reported their loss. The
  /// action itself may be lost, too, unless it is written.
  mutating func lose(before action: Action, isWritten: Bool) {
    if let count = pending[action.tab]?.count { pending[action.tab]?.removeFirst(count - 1) }
    if !isWritten { uncertain.insert(action.tab) }
  }

  /// Records that all pending actions of a tab were written at once.
  mutating func succeed(by tab: Int, _ write: Origin.Write) {
    let written = pending.removeValue(forKey: tab) ?? []
    let isCertain = uncertain.remove(tab) == nil
    if isTorn || !isCertain { return restart(with: write.bytes) }
    now += 1
    done += written.map { Timed(time: now, entry: $0.entry) }
  }

  /// Records that a tab has stored its actions without a write: at the time of the first one, all
  /// of them together have not changed the stored value.
  mutating func succeedWithoutWriting(by tab: Int) {
    let believed = pending.removeValue(forKey: tab) ?? []
    guard uncertain.remove(tab) == nil, !isTorn, let time = believed.first?.time else { return }
    let later = done.firstIndex { $0.time > time } ?? done.count
    done.insert(contentsOf: believed.map { Timed(time: time, entry: $0.entry) }, at: later)
  }

  /// Records the write of a tab that has ended before it reported which actions it contains.
  mutating func succeedAndDie(by tab: Int, _ write: Origin.Write) {
    if pending[tab]?.count ?? 0 > 1 { uncertain.insert(tab) }
    succeed(by: tab, write)
  }

  /// Records that a torn write has left half a text.
  mutating func tear() {
    (done, isTorn) = ([], true)
  }

  /// Restarts the ledger with stored bytes.
  mutating func restart(with bytes: [UInt8]?) {
    (done, isTorn) = ([Timed(time: now, entry: .stored(bytes))], false)
  }
}
