// A shared collection is a collection of shared elements. Whether elements have an id is known when
// a type is compiled, and generic code (`zip`, `Array`) reaches them through one conformance: where
// types can be asked while a program runs, that asks; Embedded Swift has it for elements with an id
// only.
#if hasFeature(Embedded)
  /// A shared collection is a collection of shared elements, which are followed by their ids.
  ///
  /// ```swift
  /// for todo in $todos {
  ///   todo.isCompleted.withLock { $0 = true }
  /// }
  /// let rows = Array($todos)  // [Shared<Todo>]
  /// ```
  /// A loop visits the elements that were there when it began, each once, without those that are
  /// gone when it is their turn. Elements without an id stand for their positions:
  /// `for number in $numbers.elements`.
  extension Shared: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
  where Value: RandomAccessCollection & MutableCollection, Value.Element: Identifiable {
    /// One element, shared.
    public typealias Element = Shared<Value.Element>
    /// A position, as in the collection itself.
    public typealias Index = Value.Index
    /// Goes from element to element.
    public typealias Iterator = SharedElementIterator<Value, Element>
    /// Positions, as in the collection itself.
    public typealias Indices = Value.Indices

    /// Begins with the first element.
    public func makeIterator() -> Iterator { handle.identified(of: Value.self) { Element($0) } }

    /// The element at a position, shared: what generic code asks for.
    @_disfavoredOverload
    @inlinable
    public subscript(position: Value.Index) -> Shared<Value.Element> {
      self[position, fileID: #fileID, line: #line]
    }
  }

  /// A shared collection that is read is a collection of elements that are read; see ``Shared``'s.
  extension SharedReader: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
  where Value: RandomAccessCollection & MutableCollection, Value.Element: Identifiable {
    /// One element, to be read.
    public typealias Element = SharedReader<Value.Element>
    /// A position, as in the collection itself.
    public typealias Index = Value.Index
    /// Goes from element to element.
    public typealias Iterator = SharedElementIterator<Value, Element>
    /// Positions, as in the collection itself.
    public typealias Indices = Value.Indices

    /// Begins with the first element.
    public func makeIterator() -> Iterator { handle.identified(of: Value.self) { Element($0) } }

    /// The element at a position, to be read: what generic code asks for.
    @_disfavoredOverload
    @inlinable
    public subscript(position: Value.Index) -> SharedReader<Value.Element> {
      self[position, fileID: #fileID, line: #line]
    }
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
  /// Elements that are `Identifiable` are followed by their ids: a loop visits those that were
  /// there when it began, each once, without those that are gone when it is their turn. Elements
  /// without an id stand for their positions; in WebAssembly, a loop over those asks for
  /// `$numbers.elements`.
  extension Shared: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
  where Value: RandomAccessCollection & MutableCollection {
    /// One element, shared.
    public typealias Element = Shared<Value.Element>
    /// A position, as in the collection itself.
    public typealias Index = Value.Index
    /// Goes from element to element.
    public typealias Iterator = SharedElementIterator<Value, Element>
    /// Positions, as in the collection itself.
    public typealias Indices = Value.Indices

    /// Begins with the first element.
    public func makeIterator() -> Iterator { handle.iterator(of: Value.self) { Element($0) } }

    /// The element at a position, shared: what generic code asks for.
    @_disfavoredOverload
    public subscript(position: Value.Index) -> Shared<Value.Element> {
      Shared<Value.Element>(handle.anyElement(in: Value.self, at: position))
    }
  }

  /// A shared collection that is read is a collection of elements that are read; see ``Shared``'s.
  extension SharedReader: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
  where Value: RandomAccessCollection & MutableCollection {
    /// One element, to be read.
    public typealias Element = SharedReader<Value.Element>
    /// A position, as in the collection itself.
    public typealias Index = Value.Index
    /// Goes from element to element.
    public typealias Iterator = SharedElementIterator<Value, Element>
    /// Positions, as in the collection itself.
    public typealias Indices = Value.Indices

    /// Begins with the first element.
    public func makeIterator() -> Iterator { handle.iterator(of: Value.self) { Element($0) } }

    /// The element at a position, to be read: what generic code asks for.
    @_disfavoredOverload
    public subscript(position: Value.Index) -> SharedReader<Value.Element> {
      SharedReader<Value.Element>(handle.anyElement(in: Value.self, at: position))
    }
  }

  /// Finds elements of a collection by their ids, where they have some.
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
    /// Goes from element to element: by ids, where they have some.
    fileprivate final func iterator<Elements, Element>(
      of type: Elements.Type, wrap: @escaping (Reference) -> Element
    ) -> SharedElementIterator<Elements, Element> {
      guard let kind = withIDs(type) else { return positions(of: type, wrap: wrap) }
      return kind.iterator(over: self, wrap: wrap)
    }

    /// The element at a position, followed by its id, where it has one.
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
