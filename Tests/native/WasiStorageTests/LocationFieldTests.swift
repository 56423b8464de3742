import SharingCore
import SharingTesting
import Testing
import WasiStorage

/// A struct behind `#` in the address.
@Suite(.sharing)
struct LocationFieldTests {
  @Stored struct Filter: Equatable {
    var month: UTF8Text = ""
    var q: UTF8Text = ""
    var page = 1
    var isOpen = true
    var order = Order.newest
    var tags: [UTF8Text] = []

    @Stored enum Order { case newest, oldest }
  }

  @Shared(.locationHash(of: Filter.self)) var filter = Filter()

  let environment = SharingEnvironment.current

  var address: UTF8Text? {
    environment.stores.flush()
    let bytes = try? environment.stores.location.bytes(for: KeyName(bytes: []))
    return bytes.map { UTF8Text($0) }
  }

  func visit(_ address: String) throws {
    try environment.stores.location.set(Array(address.utf8), for: KeyName(bytes: []))
  }

  @Test func fieldsThatAreNotAsAtFirstAreInTheAddress() {
    $filter.withLock { ($0.month, $0.q, $0.page) = ("2026-11", "milk & tea=50%", 2) }
    #expect(address == "month=2026-11&q=milk%20%26%20tea%3D50%25&page=2")
    $filter.withLock { $0 = Filter() }
    #expect(address == nil)
  }

  @Test(arguments: [
    ("month=2026-11&q=milk", Filter(month: "2026-11", q: "milk")),
    ("q=a+b%20c&page=3", Filter(q: "a b c", page: 3)),
    ("q=1&isOpen=false&order=oldest", Filter(q: "1", isOpen: false, order: .oldest)),
    ("tags=%5B%22a%22%2C%22b%22%5D", Filter(tags: ["a", "b"])),
    ("page=x&q=%C3%A4", Filter(q: "\u{E4}")), ("page=1,%22q%22:2", Filter()),
    ("q=one&q=two", Filter(q: "two")), ("other=1&=2&q", Filter()),
    ("q=%FF&page=2", Filter(q: "\u{FFFD}", page: 2)),
    ("/active", Filter()), ("", Filter()),
  ])
  func anAddressIsRead(address: String, expected: Filter) throws {
    try visit(address)
    #expect(filter == expected)
    #expect($filter.loadError == nil)
  }

  @Test func keysOfOtherHistoriesShareTheAddress() throws {
    @Shared(.locationHash(of: Filter.self, history: .replace)) var same = Filter()
    $same.withLock { $0.q = "tea" }
    #expect(filter.q == "tea")
    #expect(address == "q=tea")
  }

  @Test func aNewAddressIsFollowed() throws {
    #expect(filter == Filter())
    try visit("page=7")
    #expect(filter.page == 7)
    try visit("q=x")
    #expect(filter == Filter(q: "x"))
  }

  @Test(arguments: ["", "a", "1", "true", "null", "\"", "{}", "ä€😀", "%41", "a+b", "#&="])
  func anyTextComesBack(text: String) throws {
    $filter.withLock { $0.q = UTF8Text(text) }
    let written = address
    $filter.withLock { $0 = Filter() }
    _ = address
    try visit(written?.description ?? "")
    #expect(filter == Filter(q: UTF8Text(text)))
  }
}
