import SharingPage
import SharingTesting
import Testing

/// Controls of a row, which change a field of its element.
@Suite(.sharing)
struct RowFieldTests {
  @Stored struct Task: Identifiable, Equatable {
    var id: UTF8Text = ""
    var title: UTF8Text = ""
    var isDone = false
    var minutes = 0
    var mood = Mood.fine
    var tags: [UTF8Text] = []

    @Stored enum Mood { case fine, bad }
  }

  let recorder = PageRecorder()
  @Shared(.localStorage("tasks")) var tasks = [
    Task(id: "a", title: "Milk"), Task(id: "b", title: "Bread"),
  ]

  init() {
    recorder.page.bind("tasks", rows: $tasks)
  }

  func enter(_ text: UTF8Text) throws(ActionError) {
    try recorder.page.perform("tasks", with: text)
  }

  @Test func aTextIsEnteredAsItIs() throws {
    for title: UTF8Text in ["Oats", "1", "true", "", "a=b c", "\"\\\n"] {
      try enter("b title=\(title)")
      #expect(tasks == [Task(id: "a", title: "Milk"), Task(id: "b", title: title)])
    }
  }

  @Test func otherValuesAreEnteredToo() throws {
    try enter("a isDone=true")
    try enter("a minutes=-5")
    try enter("a mood=bad")
    try enter(#"a tags=["x","y"]"#)
    let changed = Task(
      id: "a", title: "Milk", isDone: true, minutes: -5, mood: .bad, tags: ["x", "y"])
    #expect(tasks == [changed, Task(id: "b", title: "Bread")])
  }

  @Test func anEntrySendsOneRow() throws {
    let before = recorder.all.count
    try enter("b minutes=3")
    #expect(recorder.all.dropFirst(before).map { $0.name } == ["tasks"])
    #expect(recorder["tasks"]?.description.hasPrefix(#"{"id":"b","#) == true)
  }

  @Test(arguments: [
    ("a minutes=1.5", "\"1.5\" is not valid here."),
    ("a mood=odd", "\"odd\" is not valid here."),
    ("a minutes=1,\"title\":2", "\"1,\"title\":2\" is not valid here."),
    ("a minutes=1}", "\"1}\" is not valid here."), ("a minutes=", "\"\" is not valid here."),
    ("a isDone=", "\"\" is not valid here."), ("a =1", "There is no field \"\"."),
    ("a size=1", "There is no field \"size\"."),
    ("c title=Tea", "There is no c in \"tasks\"."),
    ("a title", "\"title\" has no = between a field and its text."),
  ])
  func whatIsNotValidIsRefusedAndTheListStays(text: String, reason: String) {
    let before = tasks
    #expect(throws: ActionError(UTF8Text(reason))) { try enter(UTF8Text(text)) }
    #expect(tasks == before)
  }

  /// Another tab's change of the element, whose event has not arrived, stays.
  @Test func onlyTheFieldIsChanged() throws {
    let store = SilentStore()
    SharingEnvironment.current.stores.session = store
    let recorder = PageRecorder()
    @Shared(.sessionStorage("silent")) var tasks = [Task(id: "a", title: "Milk")]
    $tasks.save()
    recorder.page.bind("silent", rows: $tasks)
    var others = tasks
    others[0].isDone = true
    try store.set(JSON.encode(others), for: KeyName("silent"))
    #expect(!tasks[0].isDone)
    try recorder.page.perform("silent", with: "a title=Oats")
    #expect(tasks == [Task(id: "a", title: "Oats", isDone: true)])
  }

  @Test func aListThatIsOnlyReadHasNoSuchAction() throws {
    let issues = Shared<[UTF8Text]>(value: [])
    SharingEnvironment.current.onIssue = { issue in issues.withLock { $0.append(issue.message) } }
    recorder.page.bind("shown", rows: $tasks.read { $0 })
    try recorder.page.perform("shown", with: "a title=Tea")
    #expect(issues.wrappedValue.count == 1)
    #expect(tasks.first?.title == "Milk")
  }
}

/// A store without events, as a browser's before the event of another tab.
private final class SilentStore: KeyValueStore {
  private let base = MemoryStore()

  func slot(for key: KeyName) -> any StoreSlot { Slot(base.slot(for: key)) }

  private final class Slot: StoreSlot {
    private let base: any StoreSlot

    init(_ base: any StoreSlot) { self.base = base }

    func stamp() -> Int32 { base.stamp() }
    func read() throws(StorageError) -> (bytes: [UInt8]?, stamp: Int32) { try base.read() }
    func replace(by bytes: [UInt8]?) throws(StorageError) -> Int32 { try base.replace(by: bytes) }
    func subscribe(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
      SharedSubscription {}
    }
  }
}
