import SharingPage

/// The entry of a visitor.
@Stored struct Visitor {
  var name = UTF8Text()
  /// The hue of the colour in degrees.
  var hue = 0
  /// The time of the last write, by the visitor's clock.
  var time = Timestamp(millisecondsSince1970: 0)
}

/// The row of a visitor.
@Stored struct VisitorRow {
  var id = UTF8Text()
  var name = UTF8Text()
  var colour = UTF8Text()
  /// "you" for the visitor of this page.
  var note = UTF8Text()

  init() {}

  init(_ key: KeyName, _ visitor: Visitor, isOwn: Bool) {
    id = UTF8Text(key.bytes)
    name = visitor.name
    colour = "hsl(\(visitor.hue) 60% 50%)"
    note = isOwn ? "you" : ""
  }
}
