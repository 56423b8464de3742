/// The positions of a collection's elements at the last full scan, by the hashes of their ids.
///
/// The positions are only hints: they are not updated when elements come, go or move, so that a
/// change costs nothing. A search checks the id at the cached position, and scans the collection if
/// it is wrong. The cell's lock guards them.
final class ElementPositionCache {
  /// A hash table with open addressing, at most two thirds full; an empty slot has the position -1.
  private var slots: UnsafeMutablePointer<Slot>?
  /// The number of slots, a power of two, minus one.
  private var mask = 0
  /// The number of elements that scans passed since the table was filled.
  private var scanned = 0

  private typealias Slot = (hash: Int32, position: Int32)

  /// The maximal number of probes for one hash. If all ids collide, a scan is faster.
  private static let limit = 32
  /// Filling the table costs as much as this many scans, and happens after as many. So elements
  /// that moved at most double the time of a search.
  private static let scansPerFilling = 8

  deinit { slots?.deallocate() }

  /// Returns the cached position of the element with the hash of an id.
  func position(_ hash: Int) -> Int { max(0, Int(slot(for: hash)?.pointee.position ?? 0)) }

  /// Records a scan up to an element's position, and fills the table after enough scans.
  func didScan(
    to position: Int, in collection: UnsafeRawPointer, of count: Int, _ idHash: IDHash
  ) {
    scanned &+= position
    guard scanned >= count &* Self.scansPerFilling else { return }
    scanned = 0
    mask = 63
    while mask < count &+ count / 2 { mask = mask &* 2 &+ 1 }
    slots?.deallocate()
    slots = .allocate(capacity: mask &+ 1)
    slots?.initialize(repeating: (0, -1), count: mask &+ 1)
    var position: Int32 = 0
    while let hash = idHash(collection, Int(position)) {
      // If several elements have one id, keeps the first.
      if let slot = slot(for: hash), slot.pointee.position < 0 {
        slot.pointee = (Int32(truncatingIfNeeded: hash), position)
      }
      position &+= 1
    }
  }

  /// Returns the slot of a hash or a free one, nil after too many probes.
  private func slot(for hash: Int) -> UnsafeMutablePointer<Slot>? {
    guard let slots else { return nil }
    var probe = hash
    while probe &- hash < Self.limit {
      let slot = slots + (probe & mask)
      if slot.pointee.position < 0 || slot.pointee.hash == Int32(truncatingIfNeeded: hash) {
        return slot
      }
      probe &+= 1
    }
    return nil
  }
}

extension Reference {
  /// Returns the cached position of the element with the hash of an id. The cell's lock is held,
  /// unless the value is computed.
  @usableFromInline
  final func positionHint(_ hash: Int) -> Int {
    isComputed ? 0 : cell.positionCache?.position(hash) ?? 0
  }

  /// Records the position of an element if the hint was wrong.
  @usableFromInline
  final func didFind(
    at position: Int, hint: Int, in collection: UnsafeRawPointer, of count: Int, _ idHash: IDHash
  ) {
    // A scan of 32 elements costs as much as a lookup.
    if count <= 32 || abs(position &- hint) <= 1 || isComputed { return }
    let positionCache = cell.positionCache ?? ElementPositionCache()
    cell.positionCache = positionCache
    positionCache.didScan(to: position, in: collection, of: count, idHash)
  }
}
