import SharingPage
import SharingTesting
import Testing

/// Rows of a list that is filtered and sorted.
@Suite(.sharing)
struct ArrangedRowTests {
  @Stored struct Task: Identifiable, Equatable {
    var id = 0
    var rank = 0
    var isDone = false
  }

  let recorder = PageRecorder()
  @Shared(.localStorage("tasks")) var tasks: [Task] = []
  @Shared(.inMemory("all")) var showsAll = false
  @Shared(.inMemory("reverse")) var isReverse = false

  init() {
    $tasks.withLock { tasks in tasks = (1...4).map { Task(id: $0, rank: 10 * $0) } }
  }

  func bindOpen() {
    recorder.page.bind("tasks", rows: $tasks, where: { !$0.isDone || showsAll })
  }

  func bindByRank() {
    recorder.page.bind(
      "tasks", rows: $tasks, by: { isReverse ? $0.rank > $1.rank : $0.rank < $1.rank })
  }

  /// The texts that were sent after the first rows.
  var sent: [UTF8Text] { recorder.all.dropFirst().map { $0.text } }

  func row(_ id: Int, rank: Int? = nil, isDone: Bool = false) -> String {
    #"{"id":\#(id),"rank":\#(rank ?? 10 * id),"isDone":\#(isDone)}"#
  }

  func list(_ parts: String...) -> UTF8Text { UTF8Text("[" + parts.joined(separator: ",") + "]") }

  func set(_ id: Int, isDone: Bool) { $tasks[id: id]?.isDone.withLock { $0 = isDone } }

  func set(_ id: Int, rank: Int) { $tasks[id: id]?.rank.withLock { $0 = rank } }

  @Test func theAcceptedElementsAreShownOnce() {
    set(2, isDone: true)
    bindOpen()
    #expect(recorder.all.map { $0.text } == [list(row(1), row(3), row(4))])
  }

  @Test func anElementThatIsNoLongerAcceptedLeaves() {
    bindOpen()
    set(3, isDone: true)
    #expect(sent == [#"{"gone":3}"#])
    set(3, rank: 5)
    #expect(sent.count == 1, "it has no row")
  }

  @Test func anElementThatIsAcceptedComesToItsPlaceAndTheOthersAreOnlyNamed() {
    set(2, isDone: true)
    bindOpen()
    set(2, isDone: false)
    #expect(sent == [list("1", row(2), "3", "4")])
  }

  @Test func anElementThatIsAcceptedAtTheEndIsOneRow() {
    set(4, isDone: true)
    bindOpen()
    set(4, isDone: false)
    $tasks.append { _ in Task(id: 5, rank: 50) }
    $tasks.append { _ in Task(id: 6, rank: 60, isDone: true) }
    #expect(sent == [UTF8Text(row(4)), UTF8Text(row(5))])
  }

  @Test func aChangeThatMovesNothingIsOneRow() {
    bindByRank()
    set(2, rank: 25)
    #expect(sent == [UTF8Text(row(2, rank: 25))])
  }

  @Test func anElementMovesToItsPlaceInTheOrder() {
    bindByRank()
    set(1, rank: 35)
    #expect(sent == [list("2", "3", row(1, rank: 35), "4")])
  }

  @Test func elementsOfOneRankKeepTheOrderOfTheList() {
    bindByRank()
    set(4, rank: 10)
    set(3, rank: 10)
    #expect(sent.last == list("1", row(3, rank: 10), "4", "2"))
  }

  @Test func theRowsFollowTheValuesThatTheClosuresRead() {
    set(1, isDone: true)
    set(2, isDone: true)
    bindOpen()
    $showsAll.withLock { $0 = true }
    #expect(sent == [list(row(1, isDone: true), row(2, isDone: true), "3", "4")])
    $showsAll.withLock { $0 = false }
    #expect(sent.suffix(2) == [#"{"gone":1}"#, #"{"gone":2}"#])
  }

  /// While all elements are open, the closure does not read `showsAll`.
  @Test func theRowsFollowAValueThatIsReadOnlyForALaterElement() {
    bindOpen()
    set(4, isDone: true)
    $showsAll.withLock { $0 = true }
    #expect(sent == [#"{"gone":4}"#, UTF8Text(row(4, isDone: true))])
  }

  @Test func anotherOrderNamesTheRows() {
    bindByRank()
    $isReverse.withLock { $0 = true }
    #expect(sent == [list("4", "3", "2", "1")])
  }

  @Test func aTurnThatChangesTheListAndAReadValueIsShownOnce() {
    set(1, isDone: true)
    bindOpen()
    batch {
      $showsAll.withLock { $0 = true }
      set(4, rank: 1)
    }
    #expect(sent == [list(row(1, isDone: true), "2", "3", row(4, rank: 1))])
  }

  @Test func anElementThatIsRemovedLeaves() {
    bindOpen()
    $tasks.remove(id: 2)
    set(3, rank: 1)
    #expect(sent == [#"{"gone":2}"#, UTF8Text(row(3, rank: 1))])
  }

  @Test func anotherElementInThePlaceOfOneIsShown() throws {
    bindOpen()
    $tasks.save()
    let others = list(row(1), row(7), row(3), row(4))
    try SharingEnvironment.current.stores.local.set(others.bytes, for: KeyName("tasks"))
    #expect(sent == [others] || sent == [list("1", row(7), "3", "4")])
  }

  @Test func ofTwoElementsWithOneIDTheFirstAcceptedOneIsShown() {
    SharingEnvironment.current.onIssue = { _ in }
    $tasks.withLock { $0.append(Task(id: 4, rank: 99)) }
    bindOpen()
    #expect(recorder["tasks"] == list(row(1), row(2), row(3), row(4)))
    $tasks[3].isDone.withLock { $0 = true }
    #expect(recorder["tasks"] == list(row(1), row(2), row(3), row(4, rank: 99)))
    $tasks[3].isDone.withLock { $0 = false }
    #expect(recorder["tasks"] == UTF8Text(row(4)))
    $tasks.remove(id: 4)
    #expect(recorder["tasks"] == list(row(1), row(2), row(3), row(4, rank: 99)))
  }

  @Test func anIssueNamesARepeatedIDOnce() {
    let issues = Shared<[UTF8Text]>(value: [])
    SharingEnvironment.current.onIssue = { issue in issues.withLock { $0.append(issue.message) } }
    $tasks.withLock { $0.append(Task(id: 4, rank: 99)) }
    bindOpen()
    set(1, rank: 11)
    #expect(issues.wrappedValue.count == 1)
    #expect(issues.wrappedValue.first?.description.contains("\"tasks\" have the id 4") == true)
  }

  @Test func manyChangesAreOneText() {
    $tasks.withLock { tasks in tasks = (1...300).map { Task(id: $0, isDone: true) } }
    bindOpen()
    $showsAll.withLock { $0 = true }
    #expect(sent.count == 1)
  }

  @Test func aControlOfARowChangesAFieldOfItsElement() throws {
    bindOpen()
    try recorder.page.perform("tasks", with: "2 isDone=true")
    #expect(tasks[1].isDone)
    #expect(sent == [#"{"gone":2}"#])
  }
}
