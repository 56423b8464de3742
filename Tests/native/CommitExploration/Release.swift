import SharingCommits
import SharingCore
import WasiStorage

/// A release of the explored app. The newer one counts in tenths, under version 2 with a migration,
/// and has one more kind of note.
enum Release {
  case older, newer

  /// Whether the release can read a stored text.
  func canRead(_ text: UTF8Text?, of key: ExploredKey) -> Bool {
    guard self == .older, let text else { return true }
    switch key {
    case .score: return !text.description.utf8.starts(with: "{".utf8)
    case .notes: return (try? JSON.decode([EarlyNote].self, from: text.bytes)) != nil
    }
  }
}

/// The keys of the explored app. Each change of a value has a number: a score adds a power of ten
/// for it, and a list of notes has a note with this id. So a value tells which changes are in it.
enum ExploredKey: Int, CaseIterable {
  case score, notes

  var name: UTF8Text {
    switch self {
    case .score: "score"
    case .notes: "notes"
    }
  }

  /// Returns the changes that are in a stored text.
  func changes(in text: UTF8Text?) -> [Int] {
    guard let text else { return [] }
    switch self {
    case .score:
      if let score = try? JSON.decode(Int.self, from: text.bytes) { return score.changes(1) }
      let score = try? JSON.decode(VersionedScore.self, from: text.bytes)
      return score.map { $0.value.changes(10) } ?? [-1]
    case .notes: return (try? JSON.decode([LateNote].self, from: text.bytes))?.changes(1) ?? [-1]
    }
  }
}

/// The stored form of the newer score.
private struct VersionedScore: JSONCodable {
  var value = 0

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("value", &value)
  }
}

/// A value that tells which changes are in it.
protocol ExploredContent: JSONValue, Equatable, Sendable {
  /// Returns the changes, in their order if there is one. A change that is in it twice is there
  /// twice, and a part that belongs to no change is -1.
  /// - Parameter unit: The number that stands for one of a score.
  func changes(_ unit: Int) -> [Int]

  /// Makes a change.
  mutating func add(_ change: Int, _ unit: Int)
}

extension Int: ExploredContent {
  func changes(_ unit: Int) -> [Int] {
    if self < 0 || self % unit != 0 { return [-1] }
    var (rest, change, changes) = (self / unit, 0, [Int]())
    while rest > 0 {
      for _ in 0..<rest % 10 { changes.append(change) }
      (rest, change) = (rest / 10, change + 1)
    }
    return changes
  }

  mutating func add(_ change: Int, _ unit: Int) {
    var addend = unit
    for _ in 0..<change { addend *= 10 }
    self += addend
  }
}

/// A note of a release.
protocol ExploredNote: JSONValue, Identifiable, Equatable, Sendable where ID == Int {
  init(of change: Int)
}

extension Array: ExploredContent where Element: ExploredNote {
  func changes(_ unit: Int) -> [Int] { map { $0.id - 1 } }

  mutating func add(_ change: Int, _ unit: Int) { append(Element(of: change)) }
}

/// A note of the older release.
@Stored struct EarlyNote: ExploredNote {
  var id = 0
  var kind = Kind.plain

  @Stored enum Kind { case plain }
}

extension EarlyNote {
  init(of change: Int) { self.init(id: change + 1) }
}

/// A note of the newer release. Its own notes are starred, so that the older one cannot read them.
@Stored struct LateNote: ExploredNote {
  var id = 0
  var kind = Kind.plain

  @Stored enum Kind { case plain, starred }
}

extension LateNote {
  init(of change: Int) { self.init(id: change + 1, kind: .starred) }
}

/// A note of a newer release that the older one can read, without the mark.
@Stored struct MarkedNote: ExploredNote {
  var id = 0
  var kind = Kind.plain
  var mark = 0

  @Stored enum Kind { case plain }

  /// The changes in a stored text that were marked when they were made.
  static func changes(in text: UTF8Text?) -> [Int] {
    let notes = text.flatMap { try? JSON.decode([MarkedNote].self, from: $0.bytes) }
    return (notes ?? []).filter { $0.mark == $0.id }.map { $0.id - 1 }
  }
}

extension MarkedNote {
  init(of change: Int) { self.init(id: change + 1, mark: change + 1) }
}
