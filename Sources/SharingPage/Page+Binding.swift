extension Page {
  /// Shows a text under a name, now and whenever a value that the closure reads changes.
  ///
  /// ```swift
  /// page.bind("count") { "\(count)" }  // <output data-text="count">
  /// ```
  public func bind(_ name: StaticString, _ text: @escaping () -> UTF8Text) {
    observe { [self] in set(name, text()) }
  }

  /// Shows a `String`, a number, or another value with a description under a name, now and whenever
  /// a value that the closure reads changes.
  ///
  /// ```swift
  /// page.bind("name") { name }
  /// page.bind("count") { count }
  /// ```
  /// In WebAssembly, a ``SharingCore/UTF8Text`` such as `"\(count)"` is smaller: see
  /// the article "What things cost".
  @_disfavoredOverload
  public func bind<Value: CustomStringConvertible>(
    _ name: StaticString, _ value: @escaping () -> Value
  ) {
    observe { [self] in set(name, UTF8Text(value().description)) }
  }

  /// Shows a condition under a name, now and whenever it changes.
  ///
  /// ```swift
  /// page.bind("no-todos") { todos.isEmpty }  // <footer data-bind="hidden:no-todos">
  /// ```
  public func bind(_ name: StaticString, _ isSo: @escaping () -> Bool) {
    observe { [self] in set(name, isSo()) }
  }

  /// Runs a closure now, and again whenever shared state that it reads changes, until the page
  /// ends.
  ///
  /// ```swift
  /// page.observe { page.set("title", "\(count) clicks") }
  /// ```
  public func observe(_ apply: @escaping () -> Void) {
    keep(SharingCore.observe(apply))
  }
}
