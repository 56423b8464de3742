import SharingPage

/// One value for each kind of control, for Tests/browser/test_controls.py.
@main
struct ControlsPage: PageApp {
  @Shared(.localStorage("text")) var text: UTF8Text = ""
  @Shared(.localStorage("note")) var note: UTF8Text = ""
  @Shared(.localStorage("draft")) var draft: UTF8Text = ""
  @Shared(.localStorage("upper")) var upper = UpperCased()
  @Shared(.localStorage("memo")) var memo: UTF8Text = ""
  @Shared(.localStorage("amount")) var amount = 5
  @Shared(.localStorage("ratio")) var ratio = 0.5
  @Shared(.localStorage("level")) var level = 150
  @Shared(.localStorage("limit")) var limit = 200
  @Shared(.localStorage("colour")) var colour: UTF8Text = "#336699"
  @Shared(.localStorage("day")) var day: UTF8Text = "2026-01-31"
  @Shared(.localStorage("hour")) var hour: UTF8Text = "12:30"
  @Shared(.localStorage("month")) var month: UTF8Text = "2026-01"
  @Shared(.localStorage("week")) var week: UTF8Text = "2026-W05"
  @Shared(.localStorage("moment")) var moment: UTF8Text = "2026-01-31T12:30"
  @Shared(.localStorage("isDark")) var isDark = false
  @Shared(.localStorage("langs")) var langs: [UTF8Text] = ["sv"]
  @Shared(.localStorage("size")) var size = Size.medium
  @Shared(.localStorage("theme")) var theme: UTF8Text = "light"
  @Shared(.localStorage("tags")) var tags: [UTF8Text] = ["home"]
  @Shared(.localStorage("isOpen")) var isOpen = false
  @Shared(.localStorage("isAsking")) var isAsking = false
  @Shared(.localStorage("isMenu")) var isMenu = false
  @Shared(.localStorage("todos")) var todos: [Todo] = []
  @Shared(.localStorage("presses")) var presses = 0
  @Shared(.localStorage("rooms")) var rooms: [Room] = []
  @Shared(.locationHash(of: Search.self, history: .replace)) var search = Search()

  func start(on page: Page) {
    bindTexts(on: page)
    bindChoices(on: page)
    // After its range, whose maximum this is.
    bind("limit", $limit, on: page)
    page.bind("todos", rows: $todos)
    page.bindErrors(of: $todos)
    page.bind("rooms", rows: $rooms)
    bind("q", $search.q, on: page)
    page.bind("parity") { amount % 2 == 0 ? "even" : "odd" }
    page.bind("presses") { "\(presses)" }
    addActions(to: page)
  }

  private func bindTexts(on page: Page) {
    bind("text", $text, on: page)
    bind("note", $note, on: page)
    bind("draft", $draft, on: page)
    bind("upper", $upper, on: page)
    bind("memo", $memo, on: page)
    bind("amount", $amount, on: page)
    bind("ratio", $ratio, on: page)
    bind("level", $level, on: page)
    bind("colour", $colour, on: page)
    bind("day", $day, on: page)
    bind("hour", $hour, on: page)
    bind("month", $month, on: page)
    bind("week", $week, on: page)
    bind("moment", $moment, on: page)
  }

  private func bindChoices(on page: Page) {
    bind("isDark", $isDark, on: page)
    bind("langs", $langs, on: page)
    bind("size", $size, on: page)
    bind("theme", $theme, on: page)
    bind("tags", $tags, on: page)
    bind("isOpen", $isOpen, on: page)
    bind("isAsking", $isAsking, on: page)
    bind("isMenu", $isMenu, on: page)
  }

  private func bind<Value: FieldValue>(
    _ name: StaticString, _ value: Shared<Value>, on page: Page
  ) {
    page.bind(name, to: value)
    page.bindErrors(of: value)
  }

  private func addActions(to page: Page) {
    page.on("add", "TITLE") { title in
      $todos.update { todos in
        let last = todos.map { $0.id }.max() ?? 0
        todos.append(Todo(id: last + 1, title: title))
      }
    }
    page.on("remove", "ID") { id in $todos.update { $0.removeAll { "\($0.id)" == id } } }
    page.on("clear") { $text.withLock { $0 = "" } }
    page.on("toggle-open") { $isOpen.withLock { $0.toggle() } }
    page.on("ask") { $isAsking.withLock { $0 = true } }
    page.on("press") { $presses.withLock { $0 += 1 } }
    addRoomActions(to: page)
  }
}

/// A list of lists.
extension ControlsPage {
  private func addRoomActions(to page: Page) {
    page.on("open-room", "NAME") { name in $rooms.append(Room(id: name)) }
    page.on("use", "ROOM", "ITEM") { room, item in
      $rooms[id: room]?.items[id: item]?.isUsed.withLock { $0 = true }
    }
    page.on("furnish", "ROOM", "NAME") { room, name in
      $rooms[id: room]?.items.append(Item(id: name))
    }
    page.on("place", words: ["ROOM", "ITEM", "X", "Y"]) { texts throws(ActionError) in
      guard let item = $rooms[id: texts[0]]?.items[id: texts[1]] else {
        throw ActionError("There is no \(texts[1]).")
      }
      item.place.withLock { $0 = "\(texts[2])/\(texts[3])" }
    }
  }
}

@Stored struct Room: Identifiable {
  var id: UTF8Text = ""
  var items: [Item] = []
}

@Stored struct Item: Identifiable {
  var id: UTF8Text = ""
  var isUsed = false
  var place: UTF8Text = ""
}

/// A search, as it is in the address.
@Stored struct Search {
  var q: UTF8Text = ""
  var page = 1
}

enum Size: String, CaseIterable, JSONValue, FieldValue { case small, medium, large }

@Stored struct Todo: Identifiable {
  var id = 0
  var title: UTF8Text = ""
  var done = false
  var amount = 0
}

/// A text in upper case, whatever case a person types.
struct UpperCased: JSONValue, FieldValue {
  private(set) var fieldText: UTF8Text = ""

  init() {}

  init?(fieldText text: UTF8Text) {
    let lower = UInt8(ascii: "a")...UInt8(ascii: "z")
    fieldText = UTF8Text(text.bytes.map { lower.contains($0) ? $0 - 32 : $0 })
  }

  static func decode(from reader: inout JSONReader) throws(JSONError) -> UpperCased {
    var value = UpperCased()
    value.fieldText = try UTF8Text.decode(from: &reader)
    return value
  }

  func encode(into writer: inout JSONWriter) throws(JSONError) { fieldText.encode(into: &writer) }
}
