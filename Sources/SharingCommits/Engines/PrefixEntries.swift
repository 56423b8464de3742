import SharingCore
import WasiStorage

/// The entries of a store under a prefix, for a cell. Guarded by the connection's `deliveryLock`.
struct PrefixEntries<Element: Sendable> {
  struct Change {
    let name: KeyName
    let revision: Int64
    let element: Element?
    /// The error if the stored element does not decode.
    let error: StorageError?
  }

  private var revisions: [KeyName: Int64] = [:]
  /// The dictionary to deliver next, after `missingInNext` is applied. The cell swaps it for the
  /// one before, so that a change copies no other entry.
  private var next: [KeyName: Element] = [:]
  /// The changes that are in the cell and not in `next`.
  private var missingInNext: [Change] = []
  /// The changes that are in `next` and not in the cell.
  private var missingInCell: [Change] = []
  /// Whether the cell holds one of these dictionaries.
  private var isInCell = false

  var all: [KeyName: Element] {
    mutating get {
      catchUp()
      return next
    }
  }

  /// Whether the entries have changed since they were delivered to the cell.
  var hasChanges: Bool { !missingInCell.isEmpty }

  /// Replaces all entries.
  /// - Returns: The changes that were newer than the known entries.
  mutating func replace(by changes: [Change]) -> [Change] {
    self = PrefixEntries()
    return insert(changes)
  }

  /// Applies changes.
  /// - Returns: The changes that were newer than the known entries.
  mutating func change(_ changes: [Change]) -> [Change] {
    catchUp()
    let new = insert(changes)
    missingInCell += new
    return new
  }

  /// Delivers the changes that the cell lacks, or all entries the first time.
  mutating func deliver(to link: Receiver) -> Delivery {
    if isInCell {
      let delivery = withUnsafeMutablePointer(to: &next) { link.deliver(.value($0)) }
      if delivery.revision != nil { swap(&missingInNext, &missingInCell) }
      return delivery
    }
    var copy = next
    let delivery = withUnsafeMutablePointer(to: &copy) { link.deliver(.value($0)) }
    isInCell = delivery.revision != nil
    if isInCell { missingInCell = [] }
    return delivery
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
    for change in missingInNext { next[change.name] = change.element }
    missingInNext = []
  }
}
