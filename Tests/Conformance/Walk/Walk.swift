import RandomSteps
import SharingCore
import SharingTestDoubles
import WasiStorage

/// A random program over shared values, one step after the other. A plain model is compared with
/// them after each step.
///
/// There is a stored list, a debounced one, one whose key answers late, one without a key, one
/// inside a stored value, and the list that ``pointer`` points at.
final class Walk: @unchecked Sendable {
  let store: WalkStore
  let clock = ManualClock()
  let environment = SharingEnvironment()
  private(set) var time = 0
  /// The failure that ended the walk.
  private(set) var problem: String?
  private var issue: String?
  /// Whether the outermost batch is about to end: then values are saved and take over concurrent
  /// changes of other programs.
  private var isEnding = false
  /// The number of values that have done so in the current turn.
  private var lateNews = 0
  /// The number of open batches.
  var depth = 0

  // MARK: The values and their models

  private(set) var lists: [WalkList] = []
  private(set) var late: WalkLateCell!
  private(set) var stored: [WalkStoredCell<[WalkRow]>] = []
  private(set) var pageCell: WalkStoredCell<WalkPage>!
  private(set) var page: Shared<WalkPage>!
  var pageTouch = PageTouch()
  let pointer = Shared<[WalkRow]>(value: [])
  let follower: SharedReader<[WalkRow]>
  var target: WalkList
  var isPointed = false
  var held: [WalkHeld] = []

  // MARK: Observers

  var observers: [WalkObserver] = []
  var statusTokens: [ObservationToken] = []
  /// The list whose status is read after every turn. A list whose status was never read keeps it in
  /// another form.
  var watched: WalkList?
  /// The observers to create after the turn, as requested by other observers.
  var added: [(kind: Int, number: Int)] = []
  var afterTurn: [() -> Void] = []

  /// The parts of the page that changed in the current turn.
  struct PageTouch {
    var isWhole = false
    var hasNumber = false
    var hasName = false
    var hasExtra = false
  }

  init(on host: Host) {
    store = WalkStore(over: host.makeStore())
    follower = pointer.reader
    target = WalkList(of: [])
    environment.stores.local = store
    environment.stores.clock = clock
    environment.onIssue = { [unowned(unsafe) self] in issue = $0.description }
    environment.run { makeValues() }
    store.onRead = { [unowned(unsafe) self] key in
      if isEnding, takeNews(of: key) { lateNews += 1 }
    }
  }

  /// The store is read at the end of a turn: the model of the value first takes over the text that
  /// the library reads.
  private func takeNews(of key: KeyName) -> Bool {
    for cell in [stored[0], stored[1]] where cell.key == key { return cell.takeLateNews() }
    return pageCell.key == key && pageCell.takeLateNews()
  }

  static let delay = 10

  static func storedKey() -> LocalStorageKey<[WalkRow]> { .localStorage("rows") }

  static func draftKey() -> LocalStorageKey<[WalkRow]> {
    .localStorage("draft", saving: .debounced(milliseconds: delay))
  }

  private func makeValues() {
    stored = [
      WalkStoredCell("rows", [], self), WalkStoredCell("draft", [], delay: Self.delay, self),
    ]
    late = WalkLateCell()
    pageCell = WalkStoredCell("page", WalkPage(), self)
    page = Shared(wrappedValue: WalkPage(), .localStorage("page"))
    let (rows, draft, late, pageCell) = (stored[0], stored[1], late!, pageCell!)
    lists = [
      WalkList(
        Shared(wrappedValue: [], Self.storedKey()), rows, get: { rows.value },
        set: { rows.value = $0 }),
      WalkList(
        Shared(wrappedValue: [], Self.draftKey()), draft, get: { draft.value },
        set: { draft.value = $0 }),
      WalkList(
        Shared(wrappedValue: [], WalkLateKey(outside: late.outside)), late, get: { late.value },
        set: { late.value = $0 }),
      WalkList(of: []),
      WalkList(
        page.rows, pageCell, get: { pageCell.value.rows }, set: { pageCell.value.rows = $0 }),
    ]
    late.followLoads()
    for list in lists[..<3] { list.cell.onReplace = { list.touch.isWhole = true } }
    let inPage = lists[4]
    pageCell.onReplace = { [unowned(unsafe) self] in
      inPage.touch.isWhole = true
      pageTouch.isWhole = true
    }
    target = lists[0]
    pointer.projectedValue = target.shared
  }

  func fail(_ what: String) {
    if problem == nil { problem = what }
  }

  var cells: [WalkCell] { [stored[0], stored[1], late, pageCell] }

  func advance(by milliseconds: Int) {
    time += milliseconds
    for cell in cells { cell.wait(until: time) }
    clock.advance(by: milliseconds)
  }

  /// Expects a copy of corrupt bytes that are about to be overwritten (rule R15).
  func expectCopy(of bytes: [UInt8], of key: KeyName) {
    afterTurn.append { [unowned(unsafe) self] in
      let (copy, list): (UTF8Text, UTF8Text) = ("\(key).corrupt", "\(key).replaced")
      if store.stored(KeyName(bytes: copy.bytes)) == bytes { return }
      if isReplaced(bytes, in: store.stored(KeyName(bytes: list.bytes))) { return }
      fail("damaged text was overwritten, and no copy is kept")
    }
  }
}

// MARK: Steps

extension Walk {
  /// Runs the steps, then checks the final state.
  /// - Returns: The failure; nil if there is none.
  func run(_ steps: [WalkStep]) -> String? {
    environment.run {
      var index = 0
      while index < steps.count, problem == nil { turn(steps, &index) }
      if problem == nil { finish() }
      observers = []
      statusTokens = []
      held = []
    }
    return problem
  }

  /// Runs one step, including the batch that it begins, and compares everything with the model.
  private func turn(_ steps: [WalkStep], _ index: inout Int) {
    perform(steps, &index)
    for cell in cells { cell.endTurn() }
    checkTurn(after: steps[min(index, steps.count) - 1].text)
  }

  private func perform(_ steps: [WalkStep], _ index: inout Int) {
    let step = steps[index]
    index += 1
    switch step.action {
    case .begin:
      depth += 1
      batch {
        while index < steps.count, steps[index].action != .end, problem == nil {
          perform(steps, &index)
        }
        isEnding = depth == 1
      }
      isEnding = depth > 1 && isEnding
      index = min(index + 1, steps.count)
      depth -= 1
    case .end: break
    default:
      perform(step)
      checkValues(after: step.text)
    }
  }

  /// Finishes pending work: then memory, store and outside agree, and ended observers do not run.
  private func finish() {
    for step: WalkStep in [WalkStep(.room), WalkStep(.flush), WalkStep(.loadAll)] { alone(step) }
    for number in 0..<5 { alone(WalkStep(.save, number)) }
    while problem == nil, !late.outside.requests.isEmpty { alone(WalkStep(.answer)) }
    for number in 0..<5 where problem == nil {
      checkStatus(of: lists[number], after: "the end")
      if lists[number].shared.saveError != nil { fail("something was not saved in the end") }
    }
    for number in 0..<5 where problem == nil { alone(WalkStep(.append, number)) }
    for observer in observers { observer.cancel() }
    for number in 0..<6 where problem == nil { alone(WalkStep(.reverse, number)) }
  }

  private func alone(_ step: WalkStep) {
    var index = 0
    if problem == nil { turn([step], &index) }
  }
}

// MARK: Checks

extension Walk {
  private func checkValues(after step: UTF8Text) {
    for (number, list) in lists.enumerated() where list.shared.wrappedValue != list.rows {
      fail("after \(step): list \(number) is not what it should be")
    }
    if pointer.wrappedValue != target.rows { fail("after \(step): the pointer shows another list") }
    for held in held {
      if let wrong = held.problem() { fail("after \(step): \(wrong)") }
    }
    guard depth == 0 else { return }
    if page.wrappedValue != pageCell.value { fail("after \(step): the page is another one") }
    if follower.wrappedValue != target.rows { fail("after \(step): the follower does not follow") }
  }

  private func checkTurn(after step: UTF8Text) {
    for observer in observers {
      if let wrong = observer.check(lateNews: lateNews) { fail("after \(step): \(wrong)") }
    }
    for (number, cell) in cells.enumerated() {
      if let wrong = cell.problem(in: self) { fail("after \(step): of store \(number), \(wrong)") }
    }
    lateNews = 0
    if let watched { checkStatus(of: watched, after: step) }
    if let issue { fail("after \(step): \(issue)") }
    for action in afterTurn { action() }
    afterTurn = []
    for list in lists { list.touch = WalkTouch() }
    target.touch = WalkTouch()
    pageTouch = PageTouch()
    isPointed = false
    let added = added
    self.added = []
    for (kind, number) in added where observers.count < 12 { addObserver(kind, number) }
  }

  /// Checks that the wrapper's status agrees with the model.
  private func checkStatus(of list: WalkList, after step: UTF8Text) {
    if list.cell === late, !late.isQuiet { return }
    if list.shared.isLoading { fail("after \(step): a list is loading that is not") }
    let (load, save) = (list.shared.loadError, list.shared.saveError)
    if trouble(load) != list.cell.loadTrouble { fail("after \(step): loadError: \(text(load))") }
    if trouble(save) != list.cell.saveTrouble { fail("after \(step): saveError: \(text(save))") }
  }

  private func trouble(_ error: AnyError?) -> WalkCell.Trouble {
    switch error.map(reason) {
    case nil: .none
    case .replaced: .replaced
    case .corrupt: .damaged
    case .quotaExceeded: .full
    default: .refused
    }
  }

  private func text(_ error: AnyError?) -> String {
    error.map { StorageError.from($0, otherwise: .other).text.description } ?? "nil"
  }
}
