// Collection conformances of wrappers. Generic code (`zip`, `Array`) uses one conformance for all
// elements, with or without an id. Natively, it finds out at run time whether they have one.
// Embedded Swift cannot, so it has the conformance for elements with an id only.
#if hasFeature(Embedded)
  /// A shared collection is a collection of shared elements, followed by their ids.
  ///
  /// ```swift
  /// for todo in $todos {
  ///   todo.isCompleted.withLock { $0 = true }
  /// }
  /// let rows = Array($todos)  // [Shared<Todo>]
  /// ```
  /// A loop visits each element that was there when it began, once, and skips those that are
  /// removed before their turn. For elements without an id, loop over their positions:
  /// `for number in $numbers.elements`.
  extension Shared: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
  where Value: RandomAccessCollection & MutableCollection, Value.Element: Identifiable {
    /// Returns an iterator over the elements.
    public func makeIterator() -> some IteratorProtocol<Shared<Value.Element>> {
      handle.identified(of: Value.self) { Shared<Value.Element>($0) }
    }

    /// The element at a position, shared, for generic code.
    @_disfavoredOverload
    @inlinable
    public subscript(position: Value.Index) -> Shared<Value.Element> {
      self[position, fileID: #fileID, line: #line]
    }
  }

  /// A reader of a collection is a collection of readers; see ``Shared``.
  extension SharedReader: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
  where Value: RandomAccessCollection & MutableCollection, Value.Element: Identifiable {
    /// Returns an iterator over the elements.
    public func makeIterator() -> some IteratorProtocol<SharedReader<Value.Element>> {
      handle.identified(of: Value.self) { SharedReader<Value.Element>($0) }
    }

    /// The element at a position, read-only, for generic code.
    @_disfavoredOverload
    @inlinable
    public subscript(position: Value.Index) -> SharedReader<Value.Element> {
      self[position, fileID: #fileID, line: #line]
    }
  }

  extension Shared where Value: RandomAccessCollection & MutableCollection {
    /// The number of elements.
    public var count: Int { wrappedValue.count }

    /// Whether there are no elements.
    public var isEmpty: Bool { wrappedValue.isEmpty }
  }

  extension SharedReader where Value: RandomAccessCollection & MutableCollection {
    /// The number of elements.
    public var count: Int { wrappedValue.count }

    /// Whether there are no elements.
    public var isEmpty: Bool { wrappedValue.isEmpty }
  }
#else
  /// A shared collection is a collection of shared elements.
  ///
  /// ```swift
  /// for todo in $todos {
  ///   todo.isCompleted.withLock { $0 = true }
  /// }
  /// let rows = Array($todos)  // [Shared<Todo>]
  /// ```
  /// `Identifiable` elements are followed by their ids: a loop visits each element that was there
  /// when it began, once, and skips those that are removed before their turn. Elements without an
  /// id are followed by position; in WebAssembly, loop over `$numbers.elements` for those.
  extension Shared: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
  where Value: RandomAccessCollection & MutableCollection {
    /// Returns an iterator over the elements.
    public func makeIterator() -> some IteratorProtocol<Shared<Value.Element>> {
      handle.iterator(of: Value.self) { Shared<Value.Element>($0) }
    }

    /// The element at a position, shared, for generic code.
    @_disfavoredOverload
    public subscript(position: Value.Index) -> Shared<Value.Element> {
      Shared<Value.Element>(handle.anyElement(in: Value.self, at: position))
    }
  }

  /// A reader of a collection is a collection of readers; see ``Shared``.
  extension SharedReader: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
  where Value: RandomAccessCollection & MutableCollection {
    /// Returns an iterator over the elements.
    public func makeIterator() -> some IteratorProtocol<SharedReader<Value.Element>> {
      handle.iterator(of: Value.self) { SharedReader<Value.Element>($0) }
    }

    /// The element at a position, read-only, for generic code.
    @_disfavoredOverload
    public subscript(position: Value.Index) -> SharedReader<Value.Element> {
      SharedReader<Value.Element>(handle.anyElement(in: Value.self, at: position))
    }
  }

  // These read once. The standard library's implementations read both ends.
  extension SharedReadable
  where Self: Collection, Value: RandomAccessCollection & MutableCollection {
    /// The number of elements.
    public var count: Int { wrappedValue.count }

    /// Whether there are no elements.
    public var isEmpty: Bool { wrappedValue.isEmpty }
  }

  /// Finds elements of a collection by id, if they have one.
  private protocol ElementsWithIDs<Elements> {
    associatedtype Elements: RandomAccessCollection & MutableCollection

    static func iterator<Element>(
      over handle: Handle, wrap: @escaping (Reference) -> Element
    ) -> SharedElementIterator<Elements, Element>

    static func element(of handle: Handle, at position: Elements.Index) -> Reference
  }

  private enum ElementKind<Elements: RandomAccessCollection & MutableCollection> {}

  extension ElementKind: ElementsWithIDs where Elements.Element: Identifiable {
    static func iterator<Element>(
      over handle: Handle, wrap: @escaping (Reference) -> Element
    ) -> SharedElementIterator<Elements, Element> {
      handle.identified(of: Elements.self, wrap: wrap)
    }

    static func element(of handle: Handle, at position: Elements.Index) -> Reference {
      handle.identifiedElement(in: Elements.self, at: position, #fileID, #line)
    }
  }

  extension Handle {
    /// Returns an iterator: by id, if the elements have one, else by position.
    fileprivate final func iterator<Elements, Element>(
      of type: Elements.Type, wrap: @escaping (Reference) -> Element
    ) -> SharedElementIterator<Elements, Element> {
      guard let kind = withIDs(type) else { return positions(of: type, wrap: wrap) }
      return kind.iterator(over: self, wrap: wrap)
    }

    /// Returns the element at a position, followed by its id, if it has one.
    fileprivate final func anyElement<Elements>(
      in type: Elements.Type, at position: Elements.Index
    ) -> Reference where Elements: RandomAccessCollection & MutableCollection {
      withIDs(type)?.element(of: self, at: position)
        ?? element(in: type, at: position, #fileID, #line)
    }

    private final func withIDs<Elements>(
      _: Elements.Type
    ) -> (any ElementsWithIDs<Elements>.Type)?
    where Elements: RandomAccessCollection & MutableCollection {
      ElementKind<Elements>.self as? any ElementsWithIDs<Elements>.Type
    }
  }
#endif
