import SharingPage
import SharingTesting
import Testing

/// The output of a program, recorded by a ``PageRecorder``.
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

  @Test func aStringANumberAndWhatDescribesItselfAreShown() {
    struct Clicks: CustomStringConvertible {
      let count: Int
      var description: String { "\(count) clicks" }
    }
    let name = Shared(value: "Bo")
    page.bind("name") { name.wrappedValue }
    page.bind("greeting") { "Hello, \(name.wrappedValue)" }
    page.bind("count") { count }
    page.bind("half") { Double(count) / 2 }
    page.bind("clicks") { Clicks(count: count) }
    name.withLock { $0 = "Zoë" }
    $count.withLock { $0 = 3 }
    #expect(recorder["name"] == "Zoë")
    #expect(recorder["greeting"] == "Hello, Zoë")
    #expect(recorder["count"] == "3")
    #expect(recorder["half"] == "1.5")
    #expect(recorder["clicks"] == "3 clicks")
    page.set("name", name.wrappedValue.uppercased())
    #expect(recorder["name"] == "ZOË")
  }

  @Test func aWarningIsShownAsAnErrorOfStorage() {
    page.warn("Mind the gap.")
    #expect(recorder["storage-error"] == "Mind the gap.")
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
    let notice = try #require(recorder["storage-error"])
    #expect(notice.description.contains("damaged"))
    $damaged.withLock { $0 = 1 }
    #expect(recorder["storage-error"] == "")
  }

  @Test func whatCannotBeLoadedToBeReadIsShownToo() throws {
    let store = SharingEnvironment.current.stores.local
    try store.set(Array("{".utf8), for: KeyName("damaged"))
    @SharedReader(.localStorage("damaged")) var damaged = 0
    page.bindErrors(of: $damaged)
    #expect(try #require(recorder["storage-error"]).description.contains("damaged"))
    try store.set(Array("1".utf8), for: KeyName("damaged"))
    $damaged.load()
    #expect(recorder["storage-error"] == "")
  }

  @Test func anErrorIsShownOnce() throws {
    let store = SharingEnvironment.current.stores.local
    try store.set(Array("{".utf8), for: KeyName("damaged"))
    @Shared(.localStorage("damaged")) var damaged = 0
    page.bindErrors(of: $damaged)
    $count.withLock { $0 = 1 }
    #expect(recorder.all.map { $0.name } == ["storage-details", "storage-error"])
  }

  @Test func thePersonSeesOneMessageAndTheDeveloperTheDetailsOfAllValues() throws {
    let store = SharingEnvironment.current.stores.local
    for key in ["one", "other"] { try store.set(Array("{".utf8), for: KeyName(key)) }
    @Shared(.localStorage("one")) var one = 0
    @Shared(.localStorage("other")) var other = 0
    page.bindErrors(of: $one)
    page.bindErrors(of: $other)
    let message = "A stored value is damaged. It is kept, but not shown."
    #expect(recorder["storage-error"]?.description == message)
    let details = try #require(recorder["storage-details"]).description
    for key in ["one", "other"] {
      #expect(details.contains("\"\(key)\": \(message) A copy is kept under \"\(key).corrupt\"."))
    }
    $one.withLock { $0 = 1 }
    #expect(recorder["storage-error"]?.description == message)
    #expect(recorder["storage-details"]?.description.contains("\"one\"") == false)
  }

  @Test func aMessageIsShownOnceAlsoIfAnotherOneIsBetween() throws {
    let store = SharingEnvironment.current.stores.local
    for (key, text) in [("a", "{"), ("b", #"{"$version":2,"value":1}"#), ("c", "{")] {
      try store.set(Array(text.utf8), for: KeyName(key))
      @Shared(.localStorage(key)) var value = 0
      page.bindErrors(of: $value)
    }
    let message = """
      A stored value is damaged. It is kept, but not shown. Another version of this app has stored \
      a value. Update the app, or reload its page.
      """
    #expect(recorder["storage-error"]?.description == message)
    #expect(recorder["outdated"] == "true")
    #expect(recorder["unsaved"] == nil)
  }

  @Test func theDeveloperGetsTheDetailsOfAValueOnceIfAChangeIsRefusedToo() throws {
    let store = SharingEnvironment.current.stores.local
    try store.set(Array(#"{"$version":2,"value":1}"#.utf8), for: KeyName("newer"))
    @Shared(.localStorage("newer")) var newer = 0
    page.bindErrors(of: $newer)
    $newer.withLock { $0 = 2 }
    let message =
      "Another version of this app has stored a value. Update the app, or reload its page."
    let texts = recorder.all.filter { $0.name == "storage-error" }.map { $0.text.description }
    #expect(texts == [message, "\(message) Your last changes are not stored: copy them."])
    #expect(recorder.all.count { $0.name == "storage-details" } == 1)
  }

  @Test func aRefusedChangeIsUnsaved() throws {
    @Shared(.localStorage("ratio")) var ratio = 0.5
    page.bindErrors(of: $ratio)
    $ratio.withLock { $0 = .infinity }
    #expect(recorder["unsaved"] == "true")
    $ratio.withLock { $0 = 1 }
    #expect(recorder["unsaved"] == "")
  }

  @Test func aRefusedChangeIsUnsavedIfOnlyItsReaderIsBound() throws {
    @Shared(.localStorage("ratio")) var ratio = 0.5
    page.bindErrors(of: SharedReader($ratio))
    $ratio.withLock { $0 = .infinity }
    #expect(recorder["unsaved"] == "true")
    $ratio.withLock { $0 = 1 }
    #expect(recorder["unsaved"] == "")
  }

  @Test func errorsOfOnesOwnAreAllShown() {
    @SharedReader(FailingKey(reason: "No news.")) var news = 0
    @SharedReader(FailingKey(reason: "No mail.")) var mail = 0
    page.bindErrors(of: $news)
    page.bindErrors(of: $mail)
    #expect(recorder["storage-error"] == "No news. No mail.")
  }

  @Test func aWarningDoesNotReplaceWhatCannotBeLoaded() throws {
    let store = SharingEnvironment.current.stores.local
    try store.set(Array("{".utf8), for: KeyName("damaged"))
    @Shared(.localStorage("damaged")) var damaged = 0
    page.bindErrors(of: $damaged)
    page.warn("Mind the gap.")
    #expect(try #require(recorder["storage-error"]).description.contains("damaged"))
    #expect(try #require(recorder["storage-error"]).description.hasSuffix(" Mind the gap."))
    $damaged.withLock { $0 = 1 }
    #expect(recorder["storage-error"] == "Mind the gap.")
    page.warn("")
    #expect(recorder["storage-error"] == "")
  }
}

/// A key whose value cannot be loaded.
private struct FailingKey: SharedReaderKey {
  let reason: UTF8Text

  var id: some Hashable { reason.description }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    continuation.resume(throwing: StorageError(.other, key: nil, reason))
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription { SharedSubscription {} }
}
