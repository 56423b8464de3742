import SharingCore
import WasiStorage

/// The model of a value that is one item of a store, as JSON.
final class WalkStoredCell<Value: JSONValue & Equatable>: WalkCell {
  let key: KeyName
  private let initial: Value
  /// For how long a change has to rest before it is written; nil where it is written at once.
  private let delay: Int?
  private unowned(unsafe) let walk: Walk
  var value: Value
  /// What the store holds.
  private var stored: [UInt8]?
  /// What of that the program has seen last.
  private var seen: [UInt8]?
  /// A change that has still to be written; a value of nil is one to be removed.
  private var pending: (value: Value?, time: Int)?
  /// Whether nobody has changed the value since it was reset.
  private var isReset = false
  private var isLoadTroubleNew = false
  private var writeCount = 0
  private var damage: [UInt8]?
  /// Whether the store has told of something during a turn that has a change.
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

  /// In a turn that has a change, the store is looked at when that is saved.
  override func hear() {
    if isUnsaved { hasMissedNews = true }
    look()
  }

  override func change() {
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
  }

  /// Whether the key, which writes first, or the load fails first is not said: both tell of it.
  override var canLoad: Bool { !(walk.store.isFull && pending != nil) }

  override func load() {
    flush()
    guard isUnsaved || saveTrouble != .none else { return takeOver() }
    // What is not saved yet is not hidden, and what is not shown is not seen.
    if isUnsaved, saveTrouble == .none { hasMissedNews = true }
    let isDamaged = decoded(stored) == nil
    if isDamaged { seen = stored }
    set(loadTrouble: isDamaged ? .damaged : .none)
  }

  override func save() {
    look()
    isUnsaved = false
    put(isReset ? nil : value, isLater: false)
    lookAtMissedNews()
  }

  /// The turn's change is saved, and the store is looked at.
  /// - Returns: Whether another program has changed something meanwhile.
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
    if let pending, pending.time <= time { flush() }
  }

  // MARK: Loading

  /// Takes over what the store holds. A change of this program that was not written is lost, and
  /// the program must be told so.
  private func takeOver() {
    let former = seen
    seen = stored
    guard let news = decoded(stored) else { return set(loadTrouble: .damaged) }
    var loss = saveTrouble != .none && pending == nil
    if let lost = pending {
      let bytes = lost.value.map { encoded($0) }
      loss = bytes != stored && bytes != former
    }
    pending = nil
    saveTrouble = .none
    value = news
    isReset = false
    onReplace()
    set(loadTrouble: loss ? .replaced : .none)
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
    guard let delay else { return write(value) }
    pending = (value, walk.time + delay)
    if !isLater { flush() }
  }

  private func flush() {
    guard pending != nil else { return }
    // What must not be shown yet must not be overwritten either: the turn's own save is next.
    if isUnsaved { hasMissedNews = true }
    if isUnsaved, stored != seen {
      pending?.time = .max
      return
    }
    look()
    guard let pending else { return }
    self.pending = nil
    write(pending.value)
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

  /// Another program stores bytes, or removes them.
  func store(_ bytes: [UInt8]?) {
    stored = bytes
    walk.store.put(bytes, under: key)
  }

  /// Another program changes the value.
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
