/// How far the members of one stored object have found their fields.
///
/// The fields come in their order, the members in theirs. One member is looked at at a time: the
/// field that has its name decodes it on the spot, so that members in the fields' order take a
/// single pass, and their names are only compared. A member that all fields of a pass left alone has
/// none, and is skipped. Every pass therefore takes or skips at least one member.
///
/// A field's value may be an object, whose members are then here meanwhile. They leave only what
/// does not matter: the field says anew where the reader is.
@usableFromInline
struct JSONMembers {
  /// Where the reader is.
  enum Place: UInt8 {
    /// At the quotation mark of a member's name.
    case name

    /// At the value of a member whose name has been read, and waits for its field.
    case value

    /// Behind the value that a field has taken: no comma and name follow at once, but others may.
    case behindValue

    /// Behind the object.
    case behindObject
  }

  var place = Place.behindObject

  /// Whether no field of this pass has taken a member yet.
  var isPassIdle = true

  /// The name that has been read.
  var name = JSONText()
}
