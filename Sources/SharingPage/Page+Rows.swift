// Lists: `<ul data-rows="todos" data-key="id">` has a row for each value, made like its <template>,
// whose elements bind the fields of the value by their names. A terminal shows none of them.
extension Page {
  /// Shows these rows and no others, in this order. Of those that are there, only what differs is
  /// changed. Integers of 2^53 and more go to the page as text, since JavaScript rounds them.
  ///
  /// ```swift
  /// page.set("todos", todos)
  /// ```
  public func set(_ name: StaticString, _ rows: [some JSONCodable]) {
    send(name) { (writer) throws(JSONError) in try rows.encode(into: &writer) }
  }

  /// Shows one row: a new one at the end, or in the row that has its key the fields that it has.
  /// The others of that row stay as they are.
  ///
  /// ```swift
  /// page.set("todos", todos[3])
  /// ```
  public func set(_ name: StaticString, _ row: some JSONCodable) {
    send(name) { (writer) throws(JSONError) in try row.encode(into: &writer) }
  }

  /// Takes away the row that has a key, if there is one.
  ///
  /// ```swift
  /// page.remove("todos", row: todo.id)
  /// ```
  public func remove(_ name: StaticString, row key: some JSONValue) {
    send(name) { (writer) throws(JSONError) in
      var key = key
      try writer.beginObject()
      try writer.field("gone", &key)
      writer.endObject()
    }
  }

  /// Shows a row for each of the values that the closure returns, now and whenever what it has read
  /// changes.
  ///
  /// ```swift
  /// page.bind("open") { todos.filter { !$0.completed } }
  /// ```
  public func bind<Row: JSONCodable>(_ name: StaticString, _ rows: @escaping () -> [Row]) {
    observe { [self] in set(name, rows()) }
  }

  /// Shows a row for each element of a shared list. Of a change of one element, only its row hears:
  /// a list of ten thousand costs as little as one of ten.
  ///
  /// Of two elements with one id, the first is shown, which is the one that `$todos[id:]` and
  /// `$todos.remove(id:)` mean; an issue names the id.
  ///
  /// ```swift
  /// page.bind("todos", rows: $todos)  // <ul data-rows="todos" data-key="id">
  /// ```
  public func bind<Row: JSONCodable & Identifiable>(
    _ name: StaticString, rows list: some SharedReadable<[Row]>
  ) where Row.ID: JSONValue {
    guard isShown else { return }
    var shown = ShownRows<Row.ID>()
    keep(
      list.observeElements { [self] rows, changes in
        update(name, &shown, to: rows, changes)
      })
  }

  private func update<Row: JSONCodable & Identifiable>(
    _ name: StaticString, _ shown: inout ShownRows<Row.ID>, to rows: [Row],
    _ changes: ElementChanges
  ) where Row.ID: JSONValue {
    switch changes {
    case .removed(let position) where shown.repeated == nil:
      remove(name, row: shown.remove(at: position))
    case .changed(let positions) where shown.follow(positions, in: rows):
      for position in positions { set(name, rows[position]) }
    default:
      let known = shown.repeated
      set(name, shown.replace(by: rows))
      if let id = shown.repeated, id != known { reportRepeated(id, under: name) }
    }
  }

  private func reportRepeated(_ id: some JSONValue, under name: StaticString) {
    let text = UTF8Text((try? JSON.encode(id)) ?? [])
    SharingEnvironment.current.onIssue(
      SharingIssue(
        """
        Two elements under "\(name)" have the id \(text): only the first one is shown. Give each \
        element an id of its own.
        """))
  }

  // Not inlined: it is the same for all types of rows.
  @inline(never)
  private func send(
    _ name: StaticString, _ write: (inout JSONWriter) throws(JSONError) -> Void
  ) {
    guard isShown, !isTerminal else { return }
    do throws(JSONError) {
      var writer = JSONWriter()
      writer.quotesLargeIntegers = true
      try write(&writer)
      send(name, writer.bytes)
    } catch {
      warn("What belongs under \"\(name)\" cannot be shown: \(error.text).")
    }
  }
}

/// The ids of the elements that have a row.
private struct ShownRows<ID: Hashable> {
  /// In the order of the elements, as long as none is repeated.
  private var ids: [ID] = []
  private var known: Set<ID> = []
  /// An id that a second element has, too, which is not shown.
  private(set) var repeated: ID?

  /// Takes over elements that have changed in their places, or are new at the end.
  /// - Returns: False if all rows have to be shown again: another element is in one of the places,
  ///   or two have one id.
  mutating func follow<Row: Identifiable>(_ positions: [Int], in rows: [Row]) -> Bool
  where Row.ID == ID {
    for position in positions where repeated == nil {
      let id = rows[position].id
      if position < ids.count {
        if ids[position] != id { return false }
      } else {
        if !known.insert(id).inserted { return false }
        ids.append(id)
      }
    }
    return repeated == nil
  }

  /// Takes away one element.
  /// - Returns: Its id.
  mutating func remove(at position: Int) -> ID {
    let id = ids.remove(at: position)
    known.remove(id)
    return id
  }

  /// Takes over all elements.
  /// - Returns: Those that have a row: of each id the first.
  mutating func replace<Row: Identifiable>(by rows: [Row]) -> [Row] where Row.ID == ID {
    (ids, known, repeated) = ([], [], nil)
    var first: [Row] = []
    for row in rows {
      if known.insert(row.id).inserted {
        ids.append(row.id)
        first.append(row)
      } else if repeated == nil {
        repeated = row.id
      }
    }
    return first
  }
}
