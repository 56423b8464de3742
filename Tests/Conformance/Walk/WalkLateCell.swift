import SharingCore

/// An outside that answers when the walk says so.
final class WalkOutside: @unchecked Sendable {
  enum Request {
    case load(LoadContinuation<[WalkRow]>)
    case save([WalkRow], SaveContinuation)
  }

  private(set) var requests: [Request] = []
  var subscriber: SharedSubscriber<[WalkRow]>?
  var rows: [WalkRow]?

  func add(_ request: Request) { requests.append(request) }

  func takeRequest() -> Request { requests.removeFirst() }

  var isSaving: Bool {
    requests.contains { if case .save = $0 { true } else { false } }
  }
}

/// A key over a ``WalkOutside``.
struct WalkLateKey: SharedKey {
  let outside: WalkOutside

  var id: ObjectIdentifier { ObjectIdentifier(outside) }

  func load(context: LoadContext<[WalkRow]>, continuation: LoadContinuation<[WalkRow]>) {
    outside.add(.load(continuation))
  }

  func subscribe(
    context: LoadContext<[WalkRow]>, subscriber: SharedSubscriber<[WalkRow]>
  ) -> SharedSubscription {
    outside.subscriber = subscriber
    return SharedSubscription {}
  }

  func save(_ value: [WalkRow], context: SaveContext, continuation: SaveContinuation) {
    outside.add(.save(value, continuation))
  }
}

/// The model of a value whose key answers late.
///
/// It does not say whether a key is asked to save during a save or afterwards, only what the result
/// is when nothing is under way any more.
final class WalkLateCell: WalkCell {
  let outside = WalkOutside()
  var value: [WalkRow] = []
  /// How often the value was changed or replaced.
  private var revision = 0
  /// For each load under way, the revision when it was asked for; nil if a change was not saved
  /// then.
  private var loads: [Int?] = [0]
  private var isLoadTroubleNew = false
  /// Whether what the outside holds is what was saved last.
  private var isOurs = false

  /// Whether all has been answered.
  var isQuiet: Bool { outside.requests.isEmpty && !isUnsaved }

  override func change() {
    revision += 1
    isUnsaved = true
  }

  override func endTurn() {
    isUnsaved = false
    isLoadTroubleNew = false
  }

  override func load() {
    loads.append(isUnsaved || outside.isSaving ? nil : revision)
  }

  override func save() { isUnsaved = false }

  override func reset() {
    value = []
    revision += 1
    onReplace()
    isUnsaved = false
  }

  /// The next request is about to be answered.
  func answer(_ request: WalkOutside.Request, isGood: Bool) {
    switch request {
    case .load: answerLoad(isGood)
    case .save(let rows, _):
      if isGood { (outside.rows, isOurs) = (rows, true) }
      saveTrouble = isGood ? .none : .refused
      if isGood, !isLoadTroubleNew { loadTrouble = .none }
    }
  }

  private func answerLoad(_ isGood: Bool) {
    let asked = loads.removeFirst()
    guard isGood else { return set(.refused) }
    // A change that could not be saved is not hidden.
    guard asked == revision, !isUnsaved, !outside.isSaving, saveTrouble == .none else {
      return set(.none)
    }
    takeOver()
    // This answer does not stand in the way of a later load's.
    loads = loads.map { $0 == asked ? revision : $0 }
  }

  /// Another program changes what the outside holds.
  func setOutside(_ rows: [WalkRow]) {
    (outside.rows, isOurs) = (rows, false)
  }

  /// What the outside holds becomes the value.
  func takeOver() {
    let loss = saveTrouble != .none
    value = outside.rows ?? []
    revision += 1
    onReplace()
    saveTrouble = .none
    set(loss ? .replaced : .none)
  }

  private func set(_ trouble: Trouble) {
    loadTrouble = trouble
    isLoadTroubleNew = trouble != .none
  }

  override func problem(in walk: Walk) -> String? {
    guard isQuiet, isOurs, saveTrouble == .none, outside.rows != value else { return nil }
    return "the outside has \(outside.rows?.count ?? -1) rows, and not what was changed last"
  }
}
