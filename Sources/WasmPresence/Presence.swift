import SharingPage

extension EngineName {
  /// The engine that everybody shares who has opened the page at `…/?nats=ADDRESS`.
  static let world: EngineName = "world"
}

/// Who has the page open: each visitor writes an entry of their own again and again, and removes it
/// when leaving. Whoever could not remove it is hidden after a minute.
///
/// web/presence.js says what time it is, and when somebody comes and goes.
@main
struct Presence: PageApp {
  @SharedReader(.engine(prefix: "presence.", in: .world)) private var visitors: [KeyName: Visitor] =
    [:]
  /// As this page has it: a visitor whose clock is a minute behind is not seen.
  private let now = Shared(value: Timestamp(millisecondsSince1970: 0))
  private let own = OwnEntry()

  /// In milliseconds: the timers of a page that is not seen may come once a minute.
  private static let patience: Int64 = 70_000
  /// So many are shown.
  private static let limit = 100

  func start(on page: Page) {
    page.bind("visitors") { rows }
    page.bind("here") { summary }
    page.on("stay", "ID", "VISITOR") { id, text in
      guard let visitor = try? JSON.decode(Visitor.self, from: text.bytes) else {
        return page.refuse("This is no visitor.")
      }
      now.withLock { $0 = visitor.time }
      own.stay(id, as: visitor)
    }
    page.on("leave") { own.leave() }
  }

  /// In the order of the ids.
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
