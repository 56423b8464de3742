import SharingPage

extension EngineName {
  /// The engine that all visitors of the page at `…/?nats=ADDRESS` share.
  static let world: EngineName = "world"
}

/// The visitors who have the page open. Each visitor regularly writes an entry and removes it when
/// leaving. An entry that was not removed is hidden after a minute.
///
/// web/presence.js of this extra provides the time, and calls the actions when the visitor comes
/// and goes.
@main
struct Presence: PageApp {
  @SharedReader(.engine(prefix: "presence.", in: .world)) private var visitors: [KeyName: Visitor] =
    [:]
  /// The time of this page's clock. A visitor whose clock is a minute behind is not shown.
  private let now = Shared(value: Timestamp(millisecondsSince1970: 0))
  private let own = OwnEntry()

  /// The maximum age of a shown entry in milliseconds. The timers of a hidden page may fire only
  /// once a minute.
  private static let patience: Int64 = 70_000
  /// The maximum number of shown visitors.
  private static let limit = 100

  func start(on page: Page) {
    page.bind("visitors") { rows }
    page.bind("here") { summary }
    page.on("stay", "ID", "VISITOR") { id, text in
      guard let visitor = try? JSON.decode(Visitor.self, from: text.bytes) else {
        return page.refuse("This is not a visitor.")
      }
      now.withLock { $0 = visitor.time }
      own.stay(id, as: visitor)
    }
    page.on("leave") { own.leave() }
  }

  /// The rows in the order of the ids.
  private var rows: [VisitorRow] {
    visitors.filter { isHere($0.value) }.sorted { $0.key < $1.key }.prefix(Self.limit)
      .map { VisitorRow($0.key, $0.value, isOwn: own.isKey($0.key)) }
  }

  private func isHere(_ visitor: Visitor) -> Bool {
    let age = now.wrappedValue.millisecondsSince1970 - visitor.time.millisecondsSince1970
    return age < Self.patience
  }

  private var summary: UTF8Text {
    if let error = $visitors.loadError { return message(of: error) }
    if !EngineName.world.status.isConnected { return "Offline: these were here last." }
    let count = visitors.values.filter(isHere).count
    switch count {
    case 0: return ""
    case 1: return "Nobody else: open this page in another browser."
    default: return "\(count) people"
    }
  }
}

/// The entry of this browser, which all of its tabs write.
final class OwnEntry {
  private let key = Shared(value: KeyName(""))
  private var entry: Shared<Visitor?>?
  /// The visitor of this page; nil before arriving and after leaving.
  private var visitor: Visitor?
  private var observer: ObservationToken?

  /// Whether the entry has this key.
  func isKey(_ key: KeyName) -> Bool { self.key.wrappedValue == key }

  func stay(_ id: UTF8Text, as visitor: Visitor) {
    self.visitor = visitor
    let entry = entry ?? follow(id)
    entry.update { $0 = visitor }
  }

  func leave() {
    visitor = nil
    entry?.update { $0 = nil }
  }

  private func follow(_ id: UTF8Text) -> Shared<Visitor?> {
    let entry = Shared<Visitor?>(wrappedValue: nil, .engine("presence.\(id)", in: .world))
    self.entry = entry
    key.withLock { $0 = KeyName(bytes: id.bytes) }
    observer = observe { [self] in
      // Another tab of this browser has removed the entry, and this tab is still open.
      if entry.wrappedValue == nil, let visitor { entry.update { $0 = visitor } }
    }
    return entry
  }
}

/// The entry of a visitor.
@Stored struct Visitor {
  var name = UTF8Text()
  /// The hue of the colour in degrees.
  var hue = 0
  /// The time of the last write, by the visitor's clock.
  var time = Timestamp(millisecondsSince1970: 0)
}

/// The row of a visitor.
@Stored struct VisitorRow {
  var id = UTF8Text()
  var name = UTF8Text()
  var colour = UTF8Text()
  /// "you" for the visitor of this page.
  var note = UTF8Text()

  init() {}

  init(_ key: KeyName, _ visitor: Visitor, isOwn: Bool) {
    id = UTF8Text(key.bytes)
    name = visitor.name
    colour = "hsl(\(visitor.hue) 60% 50%)"
    note = isOwn ? "you" : ""
  }
}
