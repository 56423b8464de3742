import SharingPage
import SharingTesting
import Testing

/// What a program shows, seen through a ``PageRecorder``.
@Suite(.sharing)
struct BindingTests {
  let recorder = PageRecorder()
  var page: Page { recorder.page }
  @Shared(.localStorage("count")) var count = 0

  @Test func aTextIsShownNowAndWheneverItChanges() {
    page.bind("count") { "\(count) clicks" }
    #expect(recorder["count"] == "0 clicks")
    $count.withLock { $0 = 2 }
    #expect(recorder["count"] == "2 clicks")
  }

  @Test func whatIsSoIsShownAsTrueOrNothing() {
    page.bind("is-positive") { count > 0 }
    #expect(recorder["is-positive"] == "")
    $count.withLock { $0 = 1 }
    #expect(recorder["is-positive"] == "true")
  }

  @Test func nothingIsShownUnderANameThatWasNotSet() {
    #expect(recorder["count"] == nil)
  }

  @Test func aTurnWithTwoChangesIsShownOnce() {
    page.bind("count") { "\(count)" }
    batch {
      $count.withLock { $0 = 1 }
      $count.withLock { $0 = 2 }
    }
    #expect(recorder.all.map { $0.text } == ["0", "2"])
  }

  @Test func aPageThatIsGoneObservesNothing() {
    let runs = Shared(value: 0)
    do {
      let other = PageRecorder()
      other.page.observe { [page = other.page] in
        page.set("count", "\(count)")
        runs.withLock { $0 += 1 }
      }
    }
    $count.withLock { $0 = 1 }
    #expect(runs.wrappedValue == 1)
  }

  @Test func whatCannotBeLoadedIsShownUntilItIsMended() throws {
    let store = SharingEnvironment.current.stores.local
    try store.set(Array("{".utf8), for: KeyName("damaged"))
    @Shared(.localStorage("damaged")) var damaged = 0
    page.bindErrors(of: $count)
    page.bindErrors(of: $damaged)
    let notice = try #require(recorder["notice"])
    #expect(notice.description.contains("damaged"))
    $damaged.withLock { $0 = 1 }
    #expect(recorder["notice"] == "")
  }

  @Test func whatCannotBeLoadedToBeReadIsShownToo() throws {
    let store = SharingEnvironment.current.stores.local
    try store.set(Array("{".utf8), for: KeyName("damaged"))
    @SharedReader(.localStorage("damaged")) var damaged = 0
    page.bindErrors(of: $damaged)
    #expect(try #require(recorder["notice"]).description.contains("damaged"))
    try store.set(Array("1".utf8), for: KeyName("damaged"))
    $damaged.load()
    #expect(recorder["notice"] == "")
  }

  @Test func anErrorIsShownOnce() throws {
    let store = SharingEnvironment.current.stores.local
    try store.set(Array("{".utf8), for: KeyName("damaged"))
    @Shared(.localStorage("damaged")) var damaged = 0
    page.bindErrors(of: $damaged)
    $count.withLock { $0 = 1 }
    #expect(recorder.all.count == 1)
  }
}
