/// The changes that programs have made, and those that are stored.
struct CommittedChanges {
  /// The changes of each key that were made and shown, in their order.
  private(set) var made: [[Int]] = [[], []]
  /// Changes whose program has ended in their turn, or without room for its journal, or that were
  /// stored before a damage: they may be lost.
  private(set) var losable: [[Int]] = [[], []]
  /// The changes that were shown when another one was made.
  private var causes: [(key: ExploredKey, change: Int, shown: [Int])] = []
  /// The changes that are stored, and those of each revision.
  private(set) var stored: [[Int]] = [[], []]
  private var revisions: [(key: ExploredKey, revision: Int64, changes: [Int])] = []

  mutating func make(_ change: Int, of key: ExploredKey, by number: Int, showing shown: [Int]) {
    made[key.rawValue].append(change)
    causes.append((key, change, shown))
  }

  mutating func allowLoss(of change: Int, _ key: ExploredKey) {
    losable[key.rawValue].append(change)
  }

  /// Records a damage of the stored value.
  mutating func damage(_ key: ExploredKey, as revision: Int64) {
    losable[key.rawValue] += stored[key.rawValue]
    stored[key.rawValue] = []
    revisions.append((key, revision, []))
  }

  /// Records a stored value.
  /// - Returns: The problem of it; nil if there is none.
  mutating func store(_ changes: [Int], of key: ExploredKey, as revision: Int64) -> String? {
    let former = stored[key.rawValue]
    stored[key.rawValue] = changes
    revisions.append((key, revision, changes))
    if changes.contains(-1) { return "something else is stored" }
    for change in changes where changes.filter({ $0 == change }).count > 1 {
      return "a change is stored twice: \(changes)"
    }
    for change in former where !changes.contains(change) {
      return "what was stored is gone: \(former), then \(changes)"
    }
    for (other, change, shown) in causes where other == key && changes.contains(change) {
      let kept = shown.filter { !losable[key.rawValue].contains($0) }
      for before in kept where !changes.contains(before) {
        return "\(change) is stored before \(before), which it was made on"
      }
    }
    return nil
  }

  func changes(of key: ExploredKey, in revision: Int64) -> [Int]? {
    revisions.last { $0.key == key && $0.revision == revision }?.changes
  }

  /// Returns the problem of the end, when a program that can read all has run; nil if there is
  /// none.
  func problemOfEnd(_ key: ExploredKey) -> String? {
    for change in made[key.rawValue] {
      let isStored = stored[key.rawValue].contains(change)
      if !isStored, !losable[key.rawValue].contains(change) {
        return "\(change) of \(made[key.rawValue]) is lost: \(stored[key.rawValue])"
      }
    }
    return nil
  }
}
