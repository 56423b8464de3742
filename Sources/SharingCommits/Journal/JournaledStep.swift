import SharingCore
import WasiStorage

/// A step of a journal: the text of its key before and after it.
struct JournaledStep: JSONCodable, Sendable {
  var number = 0
  var kind = Kind.set
  var key = KeyName(bytes: [])
  /// The text of the key's default; nil if the default is stored as no item.
  var defaultText: UTF8Text?
  /// Nil if the step was made on the default.
  var before: UTF8Text?
  /// Nil if the step removes the text.
  var after: UTF8Text?

  /// The kind of change.
  enum Kind: String, CaseIterable, JSONValue { case set, update, adoption }

  init() {}

  init(_ step: PendingStep, of value: CommittedValue) {
    number = step.number
    kind = step.kind
    key = value.name
    defaultText = value.defaultText.bytes.map { UTF8Text($0) }
    before = step.before.map { UTF8Text($0) }
    after = step.after.map { UTF8Text($0) }
  }

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    var name = UTF8Text(key.bytes)
    try json.field("number", &number)
    try json.field("kind", &kind)
    try json.field("key", &name)
    try json.field("default", &defaultText)
    try json.field("before", &before)
    try json.field("after", &after)
    key = KeyName(bytes: name.bytes)
  }

  var isOnDefault: Bool { before == nil }

  /// The text that the step was made on.
  var former: [UInt8]? { (before ?? defaultText)?.bytes }

  var isUpdate: Bool { kind == .update }

  /// Applies the step to a text. Also returns whether it replaces something there.
  /// - Parameter coding: The coding of the value; nil if this program does not have it. Then a
  ///   merged text is not checked.
  func made(
    on text: [UInt8]?, _ coding: AnyStorageCoding?
  ) -> (text: [UInt8]?, hasLoss: Bool) {
    JSONMerge.merge(former, after?.bytes, text, addsNumbers: isUpdate) {
      coding?.decodes($0) ?? true
    }
  }

  /// Whether the step cannot be applied to a text without the value's type: the text was removed,
  /// or has another version.
  func isOfOtherForm(than text: [UInt8]?, _ revision: Int64) -> Bool {
    guard let text else { return !isOnDefault && revision > 0 }
    return after.map { VersionedJSON.version(of: $0.bytes) != VersionedJSON.version(of: text) }
      ?? false
  }
}

extension UTF8Text {
  /// The number in these digits; nil for another text.
  var number: Int? { try? JSON.decode(Int.self, from: bytes) }
}

extension PendingStep {
  /// The kind of change in a journal.
  fileprivate var kind: JournaledStep.Kind {
    switch change {
    case .set, .reset: .set
    case .updates: .update
    case .adoption: .adoption
    }
  }
}
