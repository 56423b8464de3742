import SharingCore

/// An external store that answers when the walk says so.
final class WalkOutside: @unchecked Sendable {
  enum Request {
    case load(LoadContinuation<[WalkRow]>)
    case save([WalkRow], SaveContinuation)
  }

  private(set) var requests: [Request] = []
  var subscriber: SharedSubscriber<[WalkRow]>?
  var rows: [WalkRow]?

  var onLoad: () -> Void = {}

  func add(_ request: Request) {
    if case .load = request { onLoad() }
    requests.append(request)
  }

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
/// It leaves open whether a key is asked to save during a save or afterwards. It defines only the
/// result after all requests.
final class WalkLateCell: WalkCell {
  let outside = WalkOutside()
  var value: [WalkRow] = []
  /// The number of changes and replacements of the value.
  private var revision = 0
  /// For each load under way, the revision at its request; nil if a change was unsaved then.
  private var loads: [Int?] = [0]
  private var isLoadTroubleNew = false
  /// Whether the outside holds the value that was saved last.
  private var isOurs = false

  /// Whether all requests have been answered.
  var isQuiet: Bool { outside.requests.isEmpty && !isUnsaved }

  override func change() {
    revision += 1
    isUnsaved = true
  }

  override func endTurn() {
    isUnsaved = false
    isLoadTroubleNew = false
  }

  /// Notes each load, also those that the library asks for by itself.
  func followLoads() {
    outside.onLoad = { [unowned(unsafe) self] in
      loads.append(isUnsaved || outside.isSaving ? nil : revision)
    }
  }

  override func load() {}

  override func save() { isUnsaved = false }

  override func reset() {
    value = []
    revision += 1
    onReplace()
    isUnsaved = false
  }

  /// Called before the next request is answered.
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
    // A change whose save failed stays visible.
    guard asked == revision, !isUnsaved, !outside.isSaving, saveTrouble == .none else {
      return set(.none)
    }
    takeOver()
    // A later load's answer remains valid after this one.
    loads = loads.map { $0 == asked ? revision : $0 }
  }

  /// Changes the outside, as another program.
  func setOutside(_ rows: [WalkRow]) {
    (outside.rows, isOurs) = (rows, false)
  }

  /// Takes over the value of the outside.
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
