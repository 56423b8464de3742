// Lists of which a page shows some elements, or in an order of its own.
extension Page {
  /// Shows a row for each element of a shared list that a condition accepts. A change of one
  /// element adds or removes its row.
  ///
  /// The closure may read shared values: the rows follow them, too.
  ///
  /// ```swift
  /// page.bind("todos", rows: $todos, where: { !$0.completed || showsAll })
  /// ```
  /// - Parameters:
  ///   - name: The name of the list.
  ///   - list: The list. Of two elements with one id, the first accepted one is shown.
  ///   - isShown: Whether an element has a row.
  public func bind<Row: JSONFields & Identifiable>(
    _ name: StaticString, rows list: some SharedReadable<[Row]>,
    where isShown: @escaping (Row) -> Bool
  ) where Row.ID: JSONValue {
    arrange(name, list) { $0.filter(isShown) }
  }

  /// Shows these rows, and lets controls of a row change a field of its element, as in
  /// `bind(_:rows:)`.
  ///
  /// ```swift
  /// page.bind("open", rows: $todos, where: { !$0.completed })
  /// ```
  public func bind<Row: JSONFields & Identifiable>(
    _ name: StaticString, rows list: Shared<[Row]>, where isShown: @escaping (Row) -> Bool
  ) where Row.ID: JSONValue {
    bind(name, rows: SharedReader(list), where: isShown)
    addFieldAction(name, of: list)
  }

  /// Shows a row for each element of a shared list that a condition accepts, in an order. A change
  /// of one element adds, removes or moves its row.
  ///
  /// The closures may read shared values: the rows follow them, too.
  ///
  /// ```swift
  /// page.bind("todos", rows: $todos, where: { !$0.completed }, by: { $0.day < $1.day })
  /// ```
  /// - Parameters:
  ///   - name: The name of the list.
  ///   - list: The list. Of two elements with one id, the first accepted one is shown.
  ///   - isShown: Whether an element has a row.
  ///   - areInOrder: Whether the first of two elements comes before the second one. Elements of
  ///     which neither does keep the list's order.
  public func bind<Row: JSONFields & Identifiable>(
    _ name: StaticString, rows list: some SharedReadable<[Row]>,
    where isShown: @escaping (Row) -> Bool = { _ in true },
    by areInOrder: @escaping (Row, Row) -> Bool
  ) where Row.ID: JSONValue {
    arrange(name, list) { $0.filter(isShown).sorted(by: areInOrder) }
  }

  /// Shows these rows, and lets controls of a row change a field of its element, as in
  /// `bind(_:rows:)`.
  ///
  /// ```swift
  /// page.bind("todos", rows: $todos, by: { $0.day < $1.day })
  /// ```
  public func bind<Row: JSONFields & Identifiable>(
    _ name: StaticString, rows list: Shared<[Row]>,
    where isShown: @escaping (Row) -> Bool = { _ in true },
    by areInOrder: @escaping (Row, Row) -> Bool
  ) where Row.ID: JSONValue {
    bind(name, rows: SharedReader(list), where: isShown, by: areInOrder)
    addFieldAction(name, of: list)
  }

  private func arrange<Row: JSONFields & Identifiable>(
    _ name: StaticString, _ list: some SharedReadable<[Row]>,
    _ arranged: @escaping ([Row]) -> [Row]
  ) where Row.ID: JSONValue {
    var shown = ArrangedRows<Row>(name)
    keep(
      list.observeElementsAndReads { [self] rows, changes in
        shown.show(arranged(rows), after: changes, of: rows, on: self)
      })
  }
}

/// The rows that a page shows of a list.
private struct ArrangedRows<Row: JSONFields & Identifiable> where Row.ID: JSONValue {
  private let name: StaticString
  /// The ids of the shown rows, in their order.
  private var ids: [Row.ID] = []
  /// Whether the shown rows may not be those of their elements.
  private var areAllChanged = true
  /// The id of a second element, which is not shown because of it.
  private var repeated: Row.ID?

  init(_ name: StaticString) {
    self.name = name
  }

  /// Shows the accepted elements in their order; of two with one id, the first.
  mutating func show(
    _ rows: [Row], after changes: ElementChanges, of elements: [Row], on page: Page
  ) {
    var changed: [Int] = []
    switch changes {
    case .changed(let positions): changed = positions
    case .removed: break
    case .anything: areAllChanged = true
    }
    func isChanged(_ row: Row) -> Bool {
      for position in changed where elements[position].id == row.id { return true }
      return false
    }
    if !areAllChanged, isShown(rows) {
      for row in rows where isChanged(row) { page.set(name, row) }
      return
    }
    if areAllChanged { ids = [] }
    var known = IDTable(capacity: ids.count)
    for index in ids.indices {
      _ = known.insert(index, ids[index].hashValue) { _ in false }
    }
    var shown = RowsToSend<Row>()
    var kept = IDTable(capacity: rows.count)
    var second: Row.ID?
    for row in rows {
      let hash = row.id.hashValue
      if kept.insert(shown.rows.count, hash, isEqual: { shown.rows[$0].id == row.id }) {
        let isKnown = known.contains(hash) { ids[$0] == row.id }
        shown.append(row, isSent: !isKnown || isChanged(row))
      } else {
        second = second ?? row.id
      }
    }
    if let second, second != repeated { page.reportRepeated(second, under: name) }
    repeated = second
    if areAllChanged || !sendEach(shown, kept, on: page) { page.set(name, shown) }
    ids = shown.rows.map { $0.id }
    // Of two elements, the other one may be the first after the next change.
    areAllChanged = second != nil
  }

  /// Whether these are the elements of the shown rows, in their order.
  private func isShown(_ rows: [Row]) -> Bool {
    guard rows.count == ids.count else { return false }
    for index in ids.indices where rows[index].id != ids[index] { return false }
    return true
  }

  /// Sends the differences one by one, unless there are many, or a row moves.
  private func sendEach(_ shown: RowsToSend<Row>, _ kept: IDTable, on page: Page) -> Bool {
    var gone: [Int] = []
    for (index, id) in ids.enumerated() {
      if !kept.contains(id.hashValue, isEqual: { shown.rows[$0].id == id }) {
        gone.append(index)
      } else if shown.rows[index - gone.count].id != id {
        return false
      }
    }
    if gone.count + shown.sent.count > 100 { return false }
    for index in gone { page.remove(name, row: ids[index]) }
    for index in shown.sent { page.set(name, shown.rows[index]) }
    return true
  }
}

/// Rows, of which the page has some already: of these, the key is sent.
struct RowsToSend<Row: JSONFields & Identifiable> where Row.ID: JSONValue {
  private(set) var rows: [Row] = []
  /// The indices of the others, in ascending order.
  private(set) var sent: [Int] = []

  mutating func append(_ row: Row, isSent: Bool) {
    if isSent { sent.append(rows.count) }
    rows.append(row)
  }

  func encode(into writer: inout JSONWriter) throws(JSONError) {
    try writer.beginArray()
    var next = 0
    for index in rows.indices {
      if next < sent.count, sent[next] == index {
        try writer.element(rows[index], at: index)
        next += 1
      } else {
        try writer.element(rows[index].id, at: index)
      }
    }
    writer.endArray()
  }
}
