// Lists: `<ul data-rows="todos" data-key="id">` has a row for each value, made like its <template>,
// whose elements bind the fields of the value by their names. A terminal shows none of them.
extension Page {
  /// Shows these rows and no others, in this order. Of those that are there, only what differs is
  /// changed.
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
  /// ```swift
  /// page.bind("todos", rows: $todos)  // <ul data-rows="todos" data-key="id">
  /// ```
  public func bind<Row: JSONCodable & Identifiable>(
    _ name: StaticString, rows list: some SharedReadable<[Row]>
  ) where Row.ID: JSONValue {
    guard isShown else { return }
    var shown: [Row.ID] = []
    keep(
      list.observeElements { [self] rows, changes in
        update(name, &shown, to: rows, changes)
      })
  }

  private func update<Row: JSONCodable & Identifiable>(
    _ name: StaticString, _ shown: inout [Row.ID], to rows: [Row], _ changes: ElementChanges
  ) where Row.ID: JSONValue {
    switch changes {
    case .removed(let position): return remove(name, row: shown.remove(at: position))
    case .changed(let positions) where positions.allSatisfy({ isSame($0, shown, rows) }):
      for position in positions {
        if position == shown.count { shown.append(rows[position].id) }
        set(name, rows[position])
      }
    default:
      set(name, rows)
      shown = rows.map { $0.id }
    }
  }

  /// Whether a row is the one that was at its position, or a new one at the end.
  private func isSame<Row: Identifiable>(
    _ position: Int, _ shown: [Row.ID], _ rows: [Row]
  ) -> Bool {
    position >= shown.count || shown[position] == rows[position].id
  }

  // Not inlined: it is the same for all types of rows.
  @inline(never)
  private func send(
    _ name: StaticString, _ write: (inout JSONWriter) throws(JSONError) -> Void
  ) {
    guard isShown, !isTerminal else { return }
    do throws(JSONError) {
      var writer = JSONWriter()
      try write(&writer)
      send(name, writer.bytes)
    } catch {
      warn("What belongs under \"\(name)\" cannot be shown: \(error.text).")
    }
  }
}
