/// How far the members of one stored object have found their fields.
///
/// The fields come in their order, the members in theirs. One member is looked at at a time: the
/// field that has its name decodes it on the spot, so that members in the fields' order take a
/// single pass. A member that all fields of a pass left alone has none, and is skipped. Every pass
/// therefore takes or skips at least one member.
@usableFromInline
struct JSONMembers {
  /// The name of the member that waits for its field; the reader is at its value.
  var name: JSONText?

  /// Whether no field of this pass has taken a member yet.
  var isPassIdle = true

  /// Whether a member is left.
  @usableFromInline var isUnfinished: Bool { name != nil }
}
