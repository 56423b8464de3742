import SharingCore
import WasiStorage

/// An element of the lists of a ``Walk``.
struct WalkRow: JSONCodable, Identifiable, Equatable {
  var id = 0
  var number = 0
  var title = UTF8Text()

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("id", &id)
    try json.field("number", &number)
    try json.field("title", &title)
  }
}

/// A value with parts: one is a list, and one may be nil.
struct WalkPage: JSONCodable, Equatable {
  var number = 0
  var name = UTF8Text()
  var rows: [WalkRow] = []
  var extra: WalkRow?

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("number", &number)
    try json.field("name", &name)
    try json.field("rows", &rows)
    try json.field("extra", &extra)
  }
}

/// A hash of read values, to detect differences.
struct WalkDigest: Equatable {
  private(set) var number: UInt32 = 2_166_136_261

  mutating func add(_ other: Int) {
    number = (number ^ UInt32(truncatingIfNeeded: other)) &* 16_777_619
  }

  mutating func add(_ text: UTF8Text) {
    add(text.bytes.count)
    for byte in text.bytes { add(Int(byte)) }
  }

  mutating func add(_ row: WalkRow) {
    add(row.id)
    add(row.number)
    add(row.title)
  }

  static func of(_ rows: [WalkRow]) -> WalkDigest {
    var digest = WalkDigest()
    for row in rows { digest.add(row) }
    return digest
  }

  static func of(_ row: WalkRow?) -> WalkDigest {
    var digest = WalkDigest()
    if let row { digest.add(row) }
    return digest
  }

  static func of(_ number: Int) -> WalkDigest {
    var digest = WalkDigest()
    digest.add(number)
    return digest
  }

  static func of(_ text: UTF8Text) -> WalkDigest {
    var digest = WalkDigest()
    digest.add(text)
    return digest
  }
}

/// Returns titles of all lengths; JSON must escape some of them.
func walkTitle(_ number: Int) -> UTF8Text {
  switch number % 5 {
  case 0: ""
  case 1: "\(number)"
  case 2: "a title \"\(number)\" that is quite a bit longer\n"
  case 3: "žluťoučký kůň \(number)"
  default: "tea"
  }
}

extension [WalkRow] {
  /// Returns a small unused id, so that removed elements come back.
  func freeID(_ number: Int) -> Int {
    var id = number % 12
    while contains(where: { $0.id == id }) { id += 1 }
    return id
  }

  /// Returns a number of rows.
  static func filled(_ count: Int) -> [WalkRow] {
    (0..<count).map { WalkRow(id: $0, number: $0 * 7 % 50, title: walkTitle($0)) }
  }
}
