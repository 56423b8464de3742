import SharingCore
import SharingPage
import SharingTestDoubles

extension PageRecorder {
  /// Returns the names in a page's HTML that the program does not have, such as misspelt ones.
  ///
  /// ```swift
  /// let html = try String(contentsOfFile: "web/index.html", encoding: .utf8)
  /// #expect(recorder.unknownNames(in: html) == [])
  /// ```
  /// These are the actions of `data-click`, `data-submit` and the like, and the names of
  /// `data-text`, `data-bind`, `data-model` and `data-rows` under which nothing was set yet. In a
  /// `<template>`, only actions are checked: the other names are fields of the row's element.
  /// - Parameter html: The text of the page.
  /// - Returns: Each name once for each place, in the order of the text.
  public func unknownNames(in html: String) -> [String] {
    let other = #/<!--.*?-->|<script\b.*?</script>|<style\b.*?</style>/#.dotMatchesNewlines()
    let html = html.replacing(other, with: "")
    var unknown: [String] = []
    var depth = 0  // of templates
    let parts = #/(</?)template\b|\bdata-(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/#
    for match in html.matches(of: parts) {
      if let tag = match.1 { depth += tag == "<" ? 1 : -1 }
      guard let attribute = match.2, let value = match.3 ?? match.4 ?? match.5 else { continue }
      let isAction = Self.actions.contains(attribute)
      let names = Self.names(attribute, value).map { String($0) }
      unknown += names.filter { !isKnown($0, isAction: isAction, isInRow: depth > 0) }
    }
    return unknown
  }

  private func isKnown(_ name: String, isAction: Bool, isInRow: Bool) -> Bool {
    if isAction { return name == "sharing-reload" || page.hasAction(named: UTF8Text(name)) }
    return isInRow || Self.messages.contains(name) || self[UTF8Text(name)] != nil
  }

  /// Returns the names in the value of an attribute.
  private static func names(_ attribute: Substring, _ value: Substring) -> [Substring] {
    switch attribute {
    case "bind":
      value.split(whereSeparator: \.isWhitespace).compactMap { $0.split(separator: ":").last }
    case "text", "model", "rows": value.split(whereSeparator: \.isWhitespace)
    default: actions.contains(attribute) ? [value] : []
    }
  }

  private static let actions: Set<Substring> = [
    "click", "dblclick", "enter", "escape", "file", "focusout", "input", "change", "submit",
  ]

  /// The names that every page has: JavaScript/page.js.
  private static let messages: Set<String> = [
    "running", "stopped", "program-error", "storage-error", "outdated", "unsaved", "refused",
    "update",
  ]
}
