// Lists: `<ul data-rows="todos" data-key="id">` has a row for each value, made from its <template>.
// Elements in the row bind the fields of the value by name. A terminal shows no rows.
extension Page {
  /// Shows these rows and no others, in this order. Changes only the differences to the shown rows.
  /// Integers of 2^53 and more go to the page as text, since JavaScript rounds them.
  ///
  /// ```swift
  /// page.set("todos", todos)
  /// ```
  public func set(_ name: StaticString, _ rows: [some JSONFields]) {
    send(name) { (writer) throws(JSONError) in try rows.encode(into: &writer) }
  }

  /// Shows these rows and no others, in this order.
  func set<Row: JSONFields & Identifiable>(_ name: StaticString, _ rows: RowsToSend<Row>)
  where Row.ID: JSONValue {
    send(name) { (writer) throws(JSONError) in try rows.encode(into: &writer) }
  }

  /// Shows one row. If a row with its key is there, changes it. Otherwise, appends a new row.
  func set(_ name: StaticString, _ row: some JSONFields) {
    send(name) { (writer) throws(JSONError) in try row.encode(into: &writer) }
  }

  /// Removes the row with a key, if there is one.
  func remove(_ name: StaticString, row key: some JSONValue) {
    send(name) { (writer) throws(JSONError) in
      var key = key
      try writer.beginObject()
      try writer.field("gone", &key)
      writer.endObject()
    }
  }

  /// Shows a row for each value that the closure returns, now and whenever a value that it reads
  /// changes.
  ///
  /// ```swift
  /// page.bind("open") { todos.filter { !$0.completed } }
  /// ```
  public func bind<Row: JSONFields>(_ name: StaticString, _ rows: @escaping () -> [Row]) {
    observe { [self] in set(name, rows()) }
  }

  /// Shows a row for each element of a shared list. A change of one element updates only its row: a
  /// list of ten thousand costs as little as one of ten.
  ///
  /// Of two elements with one id, the first is shown, as `$todos[id:]` and `$todos.remove(id:)` use
  /// it; an issue names the id.
  ///
  /// ```swift
  /// page.bind("todos", rows: $todos)  // <ul data-rows="todos" data-key="id">
  /// ```
  public func bind<Row: JSONFields & Identifiable>(
    _ name: StaticString, rows list: some SharedReadable<[Row]>
  ) where Row.ID: JSONValue {
    var shown = ShownRows<Row.ID>()
    keep(
      list.observeElements { [self] rows, changes in
        update(name, &shown, to: rows, changes)
      })
  }

  /// Shows a row for each element of a shared list, and lets controls of a row change a field of
  /// its element. On a command line, `NAME ID FIELD=TEXT` changes it.
  ///
  /// ```swift
  /// page.bind("todos", rows: $todos)
  /// // <ul data-rows="todos" data-key="id">
  /// //   <template><li><input data-model="title"></li></template>
  /// // </ul>
  /// ```
  /// Text that is no value of the field is refused, as in ``bind(_:to:)``.
  public func bind<Row: JSONFields & Identifiable>(_ name: StaticString, rows list: Shared<[Row]>)
  where Row.ID: JSONValue {
    bind(name, rows: SharedReader(list))
    addFieldAction(name, of: list)
  }

  /// Adds the action `NAME ID FIELD=TEXT` of a list.
  func addFieldAction<Row: JSONFields & Identifiable>(
    _ name: StaticString, of list: Shared<[Row]>
  ) where Row.ID: JSONValue {
    on(name, "ID", "FIELD=TEXT") { key, text throws(ActionError) in
      guard let id = Row.ID(text: key), let row = list[id: id] else {
        throw ActionError("There is no \(key) in \"\(name)\".")
      }
      let parts = text.parts(at: UInt8(ascii: "="), atMost: 2)
      guard let field = parts.first, let text = parts.last, parts.count == 2 else {
        throw ActionError("\"\(text)\" has no = between a field and its text.")
      }
      var changed = row.wrappedValue
      switch changed.set(field, to: text) {
      case nil: throw ActionError("\"\(text)\" is not valid here.")
      case false: throw ActionError("There is no field \"\(field)\".")
      // The element may have changed meanwhile: only this field is set.
      default: row.withLock { _ = $0.set(field, to: text) }
      }
    }
  }

  private func update<Row: JSONFields & Identifiable>(
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

  func reportRepeated(_ id: some JSONValue, under name: StaticString) {
    var writer = JSONWriter()
    try? id.encode(into: &writer)
    reportRepeated(UTF8Text(writer.bytes), name)
  }

  private func reportRepeated(_ id: UTF8Text, _ name: StaticString) {
    SharingEnvironment.current.onIssue(
      SharingIssue(
        """
        Two elements under "\(name)" have the id \(id): only the first one is shown. Give each \
        element an id of its own.
        """))
  }

  // Not inlined: it is the same for all types of rows.
  @inline(never)
  private func send(
    _ name: StaticString, _ write: (inout JSONWriter) throws(JSONError) -> Void
  ) {
    guard !isTerminal else { return }
    do throws(JSONError) {
      var writer = JSONWriter()
      writer.quotesLargeIntegers = true
      try write(&writer)
      send(name, writer.bytes)
    } catch {
      warn("The rows of \"\(name)\" cannot be shown: \(error.text)")
    }
  }
}

extension JSONValue {
  /// Reads the text of a text, or the JSON of another value; nil if it is neither.
  fileprivate init?(text: UTF8Text) {
    let quoted = (try? JSON.encode(text)) ?? []
    guard
      let value = (try? JSON.decode(Self.self, from: quoted))
        ?? (try? JSON.decode(Self.self, from: text.bytes))
    else { return nil }
    self = value
  }
}

/// The ids of the elements that have a row.
private struct ShownRows<ID: Hashable> {
  /// In the order of the elements, as long as none is repeated.
  private var ids: [ID] = []
  private var known: Set<ID> = []
  /// The id of a second element, which is not shown because of it.
  private(set) var repeated: ID?

  /// Records elements that changed in place or were added at the end.
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

  /// Removes one element.
  /// - Returns: Its id.
  mutating func remove(at position: Int) -> ID {
    let id = ids.remove(at: position)
    known.remove(id)
    return id
  }

  /// Records all elements.
  /// - Returns: The elements with a row: the first of each id.
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
