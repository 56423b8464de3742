import SharingCore

// Ids on a command line. Ids of one hour have the same first characters, and random last ones: so
// people type the end of an id, not its beginning.

extension UniqueID {
  /// The reason why a text is the end of no id, or of several.
  public enum LookupError: Error, Equatable {
    /// No id ends with the text.
    case missing(UTF8Text)
    /// Several ids end with the text.
    case ambiguous(UTF8Text)

    /// A sentence for the person who has typed the text.
    ///
    /// ```swift
    /// page.refuse(error.message)
    /// ```
    public var message: UTF8Text {
      switch self {
      case .missing(let text): "No id ends with \"\(text)\"."
      case .ambiguous(let text): "Several ids end with \"\(text)\". Type more characters."
      }
    }
  }

  /// The number of last characters that two ids have in common.
  fileprivate func commonEnding(with other: UniqueID) -> Int {
    if low != other.low { return (low ^ other.low).trailingZeroBitCount / 5 }
    if high != other.high { return (64 + (high ^ other.high).trailingZeroBitCount) / 5 }
    return Self.length
  }
}

extension Sequence where Element: Identifiable, Element.ID == UniqueID {
  /// Finds the one id that ends with a text, in either case of letters, as a person types it.
  ///
  /// ```swift
  /// let id = try todos.id(endingWith: "4T7R")
  /// ```
  /// The whole text of an id is such an end, too.
  /// - Throws: ``UniqueID/LookupError`` if no id ends so, or several do.
  public func id(endingWith text: UTF8Text) throws(UniqueID.LookupError) -> UniqueID {
    let count = text.bytes.count
    guard !text.isEmpty, count <= UniqueID.length, let end = UniqueID(last: text) else {
      throw .missing(text)
    }
    var found: UniqueID?
    for element in self where element.id.commonEnding(with: end) >= count {
      if let found, found != element.id { throw .ambiguous(text) }
      found = element.id
    }
    guard let found else { throw .missing(text) }
    return found
  }

  /// Returns the shortest end of an id that no other id of the elements has, of at least 4
  /// characters.
  ///
  /// ```swift
  /// for todo in todos { print(todos.shortestEnding(of: todo.id), todo.title) }
  /// ```
  public func shortestEnding(of id: UniqueID) -> UTF8Text {
    var count = 4
    for element in self where element.id != id {
      count = Swift.max(count, element.id.commonEnding(with: id) + 1)
    }
    return id.text(last: count)
  }
}
