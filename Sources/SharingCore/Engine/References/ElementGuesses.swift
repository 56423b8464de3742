/// Where the elements of a collection were when all of them were looked at last, by the hashes of
/// their ids.
///
/// These are guesses: nothing keeps them true when elements come, go or move, so that a change pays
/// nothing for them. Each is checked by the id that is there, and where it is wrong, somebody walks
/// through the collection. The cell's lock guards them.
final class ElementGuesses {
  /// Open addressing, at most two thirds full; the position is -1 where nothing is.
  private var slots: UnsafeMutablePointer<Slot>?
  /// How many slots there are, a power of two, less one.
  private var mask = 0
  /// How many elements have been walked past since the slots were filled.
  private var walked = 0

  private typealias Slot = (hash: Int32, position: Int32)

  /// Slots that are looked at for one hash: a walk is faster where all ids are alike in it.
  private static let limit = 32
  /// To fill the slots takes as long as so many walks, and is done after as many: so what has moved
  /// makes a search take twice as long at most.
  private static let walksForOneFilling = 8

  deinit { slots?.deallocate() }

  /// Where the element may be whose id has a hash.
  func position(_ hash: Int) -> Int { max(0, Int(slot(for: hash)?.pointee.position ?? 0)) }

  /// Takes note of a walk to where an element was, and fills the slots when enough have been made.
  func didWalk(
    to position: Int, in collection: UnsafeRawPointer, of count: Int, _ idHash: IDHash
  ) {
    walked &+= position
    guard walked >= count &* Self.walksForOneFilling else { return }
    walked = 0
    mask = 63
    while mask < count &+ count / 2 { mask = mask &* 2 &+ 1 }
    slots?.deallocate()
    slots = .allocate(capacity: mask &+ 1)
    slots?.initialize(repeating: (0, -1), count: mask &+ 1)
    var position: Int32 = 0
    while let hash = idHash(collection, Int(position)) {
      // Of several elements with one id, the first is found.
      if let slot = slot(for: hash), slot.pointee.position < 0 {
        slot.pointee = (Int32(truncatingIfNeeded: hash), position)
      }
      position &+= 1
    }
  }

  /// The slot of a hash, or one that is free for it.
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
  /// Where the element of the collection may be whose id has a hash. The cell's lock is held,
  /// unless the value is computed.
  @usableFromInline
  final func guess(_ hash: Int) -> Int {
    isComputed ? 0 : cell.guesses?.position(hash) ?? 0
  }

  /// Takes note of where the element was, as far as that was not guessed.
  @usableFromInline
  final func didFind(
    at position: Int, guess: Int, in collection: UnsafeRawPointer, of count: Int, _ idHash: IDHash
  ) {
    // To walk past 32 elements takes as long as to guess.
    if count <= 32 || abs(position &- guess) <= 1 || isComputed { return }
    let guesses = cell.guesses ?? ElementGuesses()
    cell.guesses = guesses
    guesses.didWalk(to: position, in: collection, of: count, idHash)
  }
}
