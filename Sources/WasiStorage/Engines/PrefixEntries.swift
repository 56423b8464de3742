import SharingCore

/// What a store holds under a prefix, for a cell. The lock for handing over guards it.
struct PrefixEntries<Element: Sendable> {
  struct Change {
    let name: KeyName
    let revision: Int64
    let element: Element?
    /// Why there is no element, where one is stored.
    let error: StorageError?
  }

  private var revisions: [KeyName: Int64] = [:]
  /// The dictionary that is handed over next, once it has got the changes that it lacks. The cell
  /// swaps it for the one before, so that a change copies no other entry.
  private var next: [KeyName: Element] = [:]
  private var lacking: [Change] = []
  private var lackingInCell: [Change] = []
  /// Whether the cell has got one of these dictionaries.
  private var isInCell = false

  var all: [KeyName: Element] {
    mutating get {
      catchUp()
      return next
    }
  }

  /// Whether something has changed since the cell has got it.
  var hasChanges: Bool { !lackingInCell.isEmpty }

  /// Replaces all of it.
  /// - Returns: The changes that no newer one has come before.
  mutating func replace(by changes: [Change]) -> [Change] {
    self = PrefixEntries()
    return insert(changes)
  }

  /// - Returns: The changes that no newer one has come before.
  mutating func change(_ changes: [Change]) -> [Change] {
    catchUp()
    let new = insert(changes)
    lackingInCell += new
    return new
  }

  /// Hands over what the cell lacks; all, where it has got nothing.
  mutating func deliver(to link: CellLink) {
    if isInCell {
      let isTaken = withUnsafeMutablePointer(to: &next) { link.receive(.value($0)) != nil }
      if isTaken { swap(&lacking, &lackingInCell) }
    } else {
      var copy = next
      isInCell = withUnsafeMutablePointer(to: &copy) { link.receive(.value($0)) != nil }
      if isInCell { lackingInCell = [] }
    }
  }

  private mutating func insert(_ changes: [Change]) -> [Change] {
    var new: [Change] = []
    for change in changes where change.revision > revisions[change.name] ?? 0 {
      revisions[change.name] = change.revision
      next[change.name] = change.element
      new.append(change)
    }
    return new
  }

  private mutating func catchUp() {
    for change in lacking { next[change.name] = change.element }
    lacking = []
  }
}
