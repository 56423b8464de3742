import Foundation
import SharingCore
import Testing
import WasiStorage

// The examples of keys in the documentation of Point-Free's Sharing, in its users' form.

private struct User: Codable, Equatable {
  var id = 0
  var name = ""
}

private enum UserSort: String, Codable { case name, age }

extension SharedKey where Self == AppStorageKey<Bool>.Default {
  fileprivate static var isOn: Self {
    Self[.appStorage("isOn"), default: false]
  }
}

extension SharedReaderKey where Self == InMemoryKey<[User]>.Default {
  fileprivate static var guests: Self {
    Self[.inMemory("guests"), default: []]
  }
}

extension URL {
  fileprivate static let meetingsURL = URL.documentsDirectory.appending(component: "meetings.json")
}

private struct Meeting: Codable, Identifiable {
  var id = 0
  var title = ""
}

extension SharedReaderKey where Self == FileStorageKey<[User]>.Default {
  fileprivate static var users: Self {
    Self[.fileStorage(.documentsDirectory.appending(component: "users.json")), default: []]
  }
}

private struct Documents {
  @Shared(.users) var theSameUsers
  @Shared(.fileStorage(.documentsDirectory.appending(component: "users.json")))
  var users: [User] = []
  @Shared(.fileStorage(.meetingsURL)) var meetings: [Meeting] = []
  @SharedReader(.fileStorage(.meetingsURL)) var readMeetings: [Meeting] = []
}

private struct Settings {
  @Shared(.appStorage("count")) var count = 0
  @Shared(.appStorage("soundsOn")) var soundsOn = true
  @Shared(.appStorage("userSort")) var userSort = UserSort.name
  @Shared(.appStorage("token")) var token: String?
  @Shared(.appStorage("ratio")) var ratio = 0.5
  @Shared(.appStorage("page")) var page: URL?
  @Shared(.appStorage("lastSeen")) var lastSeen = Date.distantPast
  @Shared(.appStorage("picture")) var picture = Data()
  @Shared(.appStorage("recent")) var recent: [String] = []
  @Shared(.inMemory("events")) var events: [String] = []
  @Shared(.isOn) var isOn
  @Shared(.isOn) var isOnElsewhere = true
  @Shared(.guests) var guests
}

@Suite struct SharingDocumentationTests {
  @Test func settingsAreKeptAsJSON() {
    let store = MemoryStore()
    let environment = SharingEnvironment()
    environment.stores.local = store
    environment.run {
      let settings = Settings()
      settings.$count.withLock { $0 += 1 }
      settings.$userSort.withLock { $0 = .age }
      settings.$token.withLock { $0 = "secret" }
      settings.$page.withLock { $0 = URL(string: "https://swift.org/install") }
      settings.$lastSeen.withLock { $0 = Date(timeIntervalSinceReferenceDate: 0.1) }
      settings.$picture.withLock { $0 = Data([1, 2, 3]) }
      settings.$isOn.withLock { $0.toggle() }
    }
    let texts = ["count", "userSort", "token", "page", "lastSeen", "picture", "isOn"].map {
      store.bytes(for: KeyName($0)).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(
      texts == [
        "1", #""age""#, #""secret""#, #""https://swift.org/install""#, "0.1", #""AQID""#, "true",
      ])
    environment.run {
      let settings = Settings()
      #expect(settings.lastSeen == Date(timeIntervalSinceReferenceDate: 0.1))
      #expect(settings.picture == Data([1, 2, 3]))
      #expect(settings.page?.host() == "swift.org")
      #expect(settings.isOnElsewhere)
    }
  }

  @Test func documentsAreKeptByThePathOfTheirURL() {
    let store = MemoryStore()
    let environment = SharingEnvironment()
    environment.stores.files = store
    environment.run {
      let documents = Documents()
      documents.$users.withLock { $0.append(User(id: 1, name: "Blob")) }
      #expect(documents.theSameUsers == [User(id: 1, name: "Blob")])
      documents.$meetings.withLock { $0.append(Meeting(id: 2, title: "Daily")) }
      #expect(documents.readMeetings.first?.title == "Daily")
      documents.$meetings[id: 2]?.title.withLock { $0 = "Weekly" }
    }
    let path = URL.meetingsURL.path(percentEncoded: false)
    #expect(store.bytes(for: KeyName(path)) == Array(#"[{"id":2,"title":"Weekly"}]"#.utf8))
    #expect(store.keys().count == 2)
  }

  @Test func aCodableValueIsKeptAsJSONWithSortedKeys() {
    let store = MemoryStore()
    let environment = SharingEnvironment()
    environment.stores.local = store
    environment.run {
      @Shared(.localStorage("user")) var user: User?
      $user.withLock { $0 = User(id: 1, name: "a/b") }
      #expect(store.bytes(for: KeyName("user")) == Array(#"{"id":1,"name":"a/b"}"#.utf8))
      $user.withLock { $0 = nil }
      #expect(store.bytes(for: KeyName("user")) == nil)
    }
  }

  @Test func whatDoesNotDecodeAsACodableIsDamage() {
    let store = MemoryStore()
    store.set(Array("{".utf8), for: KeyName("user"))
    let environment = SharingEnvironment()
    environment.stores.local = store
    environment.run {
      @Shared(.localStorage("user")) var user = User()
      #expect($user.loadError != nil)
      #expect(store.bytes(for: KeyName("user.corrupt")) == Array("{".utf8))
    }
  }

  @Test func aTypeThatIsBothCodableAndAJSONValueIsWrittenAsTheLatter() {
    let store = MemoryStore()
    let environment = SharingEnvironment()
    environment.stores.local = store
    environment.run {
      @Shared(.localStorage("both")) var both = Both()
      $both.withLock { $0.number = 3 }
      #expect(store.bytes(for: KeyName("both")) == Array(#"{"n":3}"#.utf8))
    }
  }
}

private struct Both: Codable, JSONCodable {
  var number = 0

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("n", &number)
  }
}
