/// How far the members of one stored object have found their fields.
///
/// The fields come in their order, the members in theirs. One member is looked at at a time: the
/// field that has its name decodes it on the spot, so that members in the fields' order take a
/// single pass, and their names are only compared. A member that all fields of a pass left alone has
/// none, and is skipped. Every pass therefore takes or skips at least one member.
@usableFromInline
struct JSONMembers {
  /// Whether a member is left, or that is not known yet.
  @usableFromInline var isUnfinished = false

  /// Whether the reader is behind the value that a field of this pass has taken: then nobody knows yet
  /// whether a comma follows.
  var isBehindValue = false

  /// The name of the member that waits for its field; the reader is at its value. Nil when the name
  /// has not been read: the reader is at its quotation mark, or behind a value.
  var name: JSONText?

  /// Whether no field of this pass has taken a member yet.
  var isPassIdle = true
}
