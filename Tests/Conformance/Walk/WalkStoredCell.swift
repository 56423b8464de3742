import SharingCore
import WasiStorage

/// The model of a value that is one item of a store, as JSON.
final class WalkStoredCell<Value: JSONValue & Equatable>: WalkCell {
  let key: KeyName
  private let initial: Value
  /// The debounce time of a change; nil if it is written immediately.
  private let delay: Int?
  private unowned(unsafe) let walk: Walk
  var value: Value
  /// The stored bytes.
  private var stored: [UInt8]?
  /// The stored bytes that the program has read last.
  private var seen: [UInt8]?
  /// The time when the pending change is written; nil if none is pending.
  private var pending: Int?
  /// Whether the value is unchanged since it was reset.
  private var isReset = false
  private var isLoadTroubleNew = false
  /// Whether a change was lost in the current turn. Only a load clears `loadError` in that turn.
  private var hasLoss = false
  private var writeCount = 0
  private var damage: [UInt8]?
  /// Whether the store has sent a notification during a turn with a change.
  private var hasMissedNews = false

  init(_ key: String, _ initial: Value, delay: Int? = nil, _ walk: Walk) {
    self.key = KeyName(key)
    self.initial = initial
    self.delay = delay
    self.walk = walk
    value = initial
  }

  override func look() {
    guard !isUnsaved, stored != seen else { return }
    takeOver()
  }

  /// In a turn with a change, the store is read when the change is saved.
  override func hear() {
    if isUnsaved { hasMissedNews = true }
    look()
  }

  /// A change that waits for its pause is part of the turn's change from now on.
  override func change() {
    pending = nil
    isReset = false
    isUnsaved = true
  }

  override func endTurn() {
    if isUnsaved {
      isUnsaved = false
      put(value, isLater: delay != nil)
    }
    lookAtMissedNews()
    isLoadTroubleNew = false
    hasLoss = false
  }

  /// If both the key's write and the load fail, the order is unspecified: both report an error.
  override var canLoad: Bool { !(walk.store.isFull && pending != nil) }

  override func load() {
    hasLoss = false
    flush()
    guard isUnsaved || saveTrouble != .none else { return takeOver() }
    // An unsaved change stays visible, and a value that is not shown does not count as read.
    let isDamaged = decoded(stored) == nil
    if isUnsaved, saveTrouble == .none, !isDamaged { hasMissedNews = true }
    if isDamaged { seen = stored }
    set(loadTrouble: isDamaged ? .damaged : .none)
  }

  override func save() {
    look()
    isUnsaved = false
    put(isReset ? nil : value, isLater: false)
    lookAtMissedNews()
  }

  /// Saves the turn's change, and reads the store.
  /// - Returns: Whether another program has changed the stored value meanwhile.
  func takeLateNews() -> Bool {
    guard hasMissedNews else { return false }
    let before = seen
    endTurn()
    return seen != before
  }

  private func lookAtMissedNews() {
    guard hasMissedNews else { return }
    hasMissedNews = false
    look()
  }

  override func reset() {
    look()
    value = initial
    onReplace()
    isReset = true
    isUnsaved = false
    put(nil, isLater: false)
    lookAtMissedNews()
  }

  override func wait(until time: Int) {
    if let pending, pending <= time { flush() }
  }

  // MARK: Loading

  /// Takes over the stored value. An unwritten change of this program is lost, and the loss must be
  /// reported.
  private func takeOver() {
    let former = seen
    seen = stored
    guard let news = decoded(stored) else {
      if !hasLoss { set(loadTrouble: .damaged) }
      return
    }
    // A reset that another program has done, too, is not lost.
    var loss = saveTrouble != .none && !(isReset && stored == nil)
    if pending != nil, saveTrouble == .none {
      let bytes = encoded(value)
      loss = bytes != stored && bytes != former
    }
    pending = nil
    saveTrouble = .none
    value = news
    isReset = false
    onReplace()
    if loss || !hasLoss { set(loadTrouble: loss ? .replaced : .none) }
    hasLoss = hasLoss || loss
  }

  private func set(loadTrouble: Trouble) {
    self.loadTrouble = loadTrouble
    isLoadTroubleNew = loadTrouble != .none
    if loadTrouble == .damaged { damage = stored }
  }

  private func decoded(_ bytes: [UInt8]?) -> Value? {
    guard let bytes else { return initial }
    return try? JSON.decode(Value.self, from: bytes)
  }

  private func encoded(_ value: Value) -> [UInt8] {
    (try? JSON.encode(value)) ?? []
  }

  // MARK: Saving

  private func put(_ value: Value?, isLater: Bool) {
    pending = nil
    guard let delay, isLater else { return write(value) }
    pending = walk.time + delay
  }

  private func flush() {
    guard pending != nil else { return }
    look()
    guard pending != nil else { return }
    pending = nil
    write(value)
  }

  private func write(_ value: Value?) {
    let bytes = value.map { encoded($0) }
    if bytes != seen {
      guard !walk.store.isFull else { return saveTrouble = .full }
      if let damage, damage == seen { walk.expectCopy(of: damage, of: key) }
      stored = bytes
      seen = bytes
      writeCount += 1
    }
    saveTrouble = .none
    if !isLoadTroubleNew { loadTrouble = .none }
  }

  /// Stores or removes bytes, as another program.
  func store(_ bytes: [UInt8]?) {
    stored = bytes
    walk.store.put(bytes, under: key)
  }

  /// Changes the value, as another program.
  func storeChanged(_ change: (inout Value) -> Void) {
    var other = decoded(stored) ?? initial
    change(&other)
    store(encoded(other))
  }

  override func problem(in walk: Walk) -> String? {
    guard walk.store.stored(key) == stored else {
      let (is_, should) = (walk.store.stored(key), stored)
      return "\(UTF8Text(is_ ?? [])) is stored and should be \(UTF8Text(should ?? []))"
    }
    let count = walk.store.writeCount(key)
    return count == writeCount ? nil : "it was written \(count) times and not \(writeCount)"
  }
}
