import SharingCore

/// Which actions must be found in one stored value, in which order.
struct Ledger {
  /// What has led to the stored value, in the order of time.
  private var done: [Timed] = []
  /// What each tab has done that it has not seen succeed.
  private var pending: [Int: [Timed]] = [:]
  /// Tabs of which it is not known whether all that is pending can still succeed.
  private var uncertain: Set<Int> = []
  /// Whether the store holds half of a text: what is written next is the beginning of a new story.
  private(set) var isTorn = false
  private var now = 0

  enum Entry: Equatable {
    case action(Action)
    /// The value is what stands here, whatever was before; nil: nothing.
    case stored([UInt8]?)
    /// Another tab has stored what one has left that is gone: what the actions make of the value,
    /// or these bytes, where they are what the journal makes of it, unless the actions have only
    /// added to a number.
    case recovered([Action], [UInt8]?, isMerged: Bool, sum: Int?)
  }

  /// A tab has done something.
  struct Action: Equatable {
    let tab: Int
    let name: String
    let number: Int
    /// The number of what the tab showed before that, and of the action.
    let shown: Int
    /// Whether it has changed this value, be it to what it was.
    var isChange = true
  }

  private struct Timed {
    let time: Int
    var entry: Entry
  }

  /// What has led to the stored value.
  var entries: [Entry] { done.map { $0.entry } }

  /// A tab does something.
  mutating func begin(_ action: Action) {
    now += 1
    pending[action.tab, default: []].append(Timed(time: now, entry: .action(action)))
  }

  /// What a tab has just done has not changed the value.
  mutating func leaveUnchanged(by action: Action) {
    guard var last = pending[action.tab]?.popLast() else { return }
    var action = action
    action.isChange = false
    last.entry = .action(action)
    pending[action.tab]?.append(last)
  }

  /// What a tab has done is lost, as it knows.
  mutating func lose(by tab: Int) {
    pending[tab] = nil
    uncertain.remove(tab)
  }

  /// Notes that what a tab did before an action is lost, and that the tab knows it. The action
  /// itself may be lost, too, unless it is written.
  mutating func lose(before action: Action, isWritten: Bool) {
    if let count = pending[action.tab]?.count { pending[action.tab]?.removeFirst(count - 1) }
    if !isWritten { uncertain.insert(action.tab) }
  }

  /// What a tab has done has been written, all at once.
  mutating func succeed(by tab: Int, _ write: Origin.Write) {
    let written = pending.removeValue(forKey: tab) ?? []
    let isCertain = uncertain.remove(tab) == nil
    if isTorn || !isCertain { return restart(with: write.bytes) }
    now += 1
    done += written.map { Timed(time: now, entry: $0.entry) }
  }

  /// Notes that a tab takes its actions for stored although it wrote nothing: so none of them
  /// changed what was stored when it was done.
  mutating func succeedWithoutWriting(by tab: Int) {
    let believed = pending.removeValue(forKey: tab) ?? []
    guard uncertain.remove(tab) == nil, !isTorn else { return }
    for action in believed {
      let later = done.firstIndex { $0.time > action.time }
      done.insert(action, at: later ?? done.count)
    }
  }

  /// A tab has written, and died before anybody could ask it what of.
  mutating func succeedAndDie(by tab: Int, _ write: Origin.Write) {
    if pending[tab]?.count ?? 0 > 1 { uncertain.insert(tab) }
    succeed(by: tab, write)
  }

  /// A torn write has left half a text.
  mutating func tear() {
    (done, isTorn) = ([], true)
  }

  /// What was until now does not matter any more.
  mutating func restart(with bytes: [UInt8]?) {
    (done, isTorn) = ([Timed(time: now, entry: .stored(bytes))], false)
  }
}
