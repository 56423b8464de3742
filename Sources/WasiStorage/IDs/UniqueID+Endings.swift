import SharingCore

// Ids on a command line. Ids of one hour have the same first characters, and random last ones: so
// people type the end of an id, not its beginning.

extension UniqueID {
  /// The reason why a text is the end of no id, or of several.
  public struct LookupError: Error {
    /// The kind of failure.
    package enum Reason: Equatable, Sendable {
      /// No id ends with the text.
      case missing
      /// Several ids end with the text.
      case ambiguous
    }

    /// The kind of failure.
    package let reason: Reason

    fileprivate init(_ reason: Reason) { self.reason = reason }

    /// Returns a sentence for the person who has typed the text.
    ///
    /// ```swift
    /// page.refuse(error.message(about: word))
    /// ```
    public func message(about text: UTF8Text) -> UTF8Text {
      let subject: StaticString = reason == .missing ? "No id ends" : "Several ids end"
      return "\(subject) with \"\(text)\"."
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
    guard !text.isEmpty, let end = UniqueID(last: text) else {
      throw UniqueID.LookupError(.missing)
    }
    var found: UniqueID?
    for element in self where element.id.commonEnding(with: end) >= text.bytes.count {
      if let found, found != element.id { throw UniqueID.LookupError(.ambiguous) }
      found = element.id
    }
    guard let found else { throw UniqueID.LookupError(.missing) }
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
