import SharingPage

extension EngineName {
  /// The engine that all visitors of the page at `…/?nats=ADDRESS` share.
  static let world: EngineName = "world"
}

/// The visitors who have the page open: one value with an element for each. A visitor regularly
/// writes the own element and removes it when leaving. An element that was not removed is hidden
/// after a minute.
///
/// web/presence.js of this extra provides the time, and calls the actions when the visitor comes
/// and goes.
@main
struct Presence: PageApp {
  @Shared(.engine("presence.visitors", in: .world)) private var visitors: [Visitor] = []
  /// The visitor of this browser, as this tab has written it last.
  private let own = Shared(value: Visitor())
  private let isHere = Shared(value: false)

  /// The maximum age of a shown element in milliseconds. The timers of a hidden page may fire only
  /// once a minute.
  private static let patience: Int64 = 70_000
  /// The age in milliseconds at which others remove an element: more than clocks differ.
  private static let hour: Int64 = 3_600_000
  /// The maximum number of shown visitors.
  private static let limit = 100

  func start(on page: Page) {
    page.bind("visitors") { rows }
    page.bind("here") { summary }
    page.on("stay", "VISITOR") { text in
      guard let visitor = try? JSON.decode(Visitor.self, from: text.bytes) else {
        return page.refuse("This is not a visitor.")
      }
      own.withLock { $0 = visitor }
      isHere.withLock { $0 = true }
      write(visitor)
    }
    page.on("leave") {
      let id = own.wrappedValue.id
      isHere.withLock { $0 = false }
      $visitors.update { $0.removeAll { $0.id == id } }
    }
    page.keep(
      observe {
        // Another tab of this browser has removed the element, and this tab is still open.
        let visitor = own.wrappedValue
        if isHere.wrappedValue, !visitors.contains(where: { $0.id == visitor.id }) {
          write(visitor)
        }
      })
  }

  private func write(_ visitor: Visitor) {
    $visitors.update {
      $0.removeAll { $0.id == visitor.id || visitor.age(of: $0) > Self.hour }
      $0.append(visitor)
    }
  }

  /// The rows in the order of the ids.
  private var rows: [VisitorRow] {
    shown.sorted { KeyName(bytes: $0.id.bytes).precedes(KeyName(bytes: $1.id.bytes)) }.prefix(
      Self.limit
    )
    .map { VisitorRow($0, isOwn: $0.id == own.wrappedValue.id) }
  }

  /// The visitors that are here by the clock of this page.
  private var shown: [Visitor] {
    let own = own.wrappedValue
    return visitors.filter { own.age(of: $0) < Self.patience }
  }

  private var summary: UTF8Text {
    if let error = $visitors.loadError { return message(of: error) }
    if !EngineName.world.status.isConnected { return "Offline: these were here last." }
    let count = shown.count
    switch count {
    case 0: return ""
    case 1: return "Nobody else: open this page in another browser."
    default: return "\(count) people"
    }
  }
}

/// A visitor.
@Stored struct Visitor: Identifiable {
  var id = UTF8Text()
  var name = UTF8Text()
  /// The hue of the colour in degrees.
  var hue = 0
  /// The time of the last write, by the visitor's clock.
  var time = Timestamp(millisecondsSince1970: 0)

  /// Returns how long ago another visitor has written, in milliseconds, by this one's clock.
  func age(of other: Visitor) -> Int64 {
    time.millisecondsSince1970 - other.time.millisecondsSince1970
  }
}

/// The row of a visitor.
@Stored struct VisitorRow {
  var id = UTF8Text()
  var name = UTF8Text()
  var colour = UTF8Text()
  /// "you" for the visitor of this page.
  var note = UTF8Text()

  init() {}

  init(_ visitor: Visitor, isOwn: Bool) {
    id = visitor.id
    name = visitor.name
    colour = "hsl(\(visitor.hue) 60% 50%)"
    note = isOwn ? "you" : ""
  }
}
