import SharingPage

/// What somebody tells of themselves.
@Stored struct Visitor {
  var name = UTF8Text()
  /// Of the colour, in degrees.
  var hue = 0
  /// When they last were there, by their own clock.
  var time = Timestamp(millisecondsSince1970: 0)
}

/// What the page shows of somebody.
@Stored struct VisitorRow {
  var id = UTF8Text()
  var name = UTF8Text()
  var colour = UTF8Text()
  /// Who it is, where that is the visitor of this page.
  var note = UTF8Text()

  init() {}

  init(_ key: KeyName, _ visitor: Visitor, isOwn: Bool) {
    id = UTF8Text(key.bytes)
    name = visitor.name
    colour = "hsl(\(visitor.hue) 60% 50%)"
    note = isOwn ? "you" : ""
  }
}
