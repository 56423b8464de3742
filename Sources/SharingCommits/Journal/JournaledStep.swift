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
  /// - Parameter encoded: The value, with its coding; nil if this program does not have it. Then a
  ///   merged text is not checked.
  func made(
    on text: [UInt8]?, _ encoded: EncodedValue?
  ) -> (text: [UInt8]?, hasLoss: Bool) {
    JSONMerge.merge(former, after?.bytes, text, addsNumbers: isUpdate) {
      encoded?.coding.decodes($0) ?? true
    }
  }

  /// The version of its texts.
  private var version: Int { VersionedJSON.version(of: (after ?? before ?? "").bytes) }

  /// Checks that the coding can read the step and a stored text, and brings both to one version.
  /// - Throws: ``SharingCore/StorageError`` if this program cannot read one of them.
  func matched(
    to text: inout [UInt8]?, _ encoded: EncodedValue?
  ) throws(StorageError) -> JournaledStep {
    // Where nothing is stored, a step on the default needs no merge: its text is the result.
    if text == nil, isOnDefault { return self }
    let storedVersion = text.map { VersionedJSON.version(of: $0) } ?? version
    guard let encoded else {
      if storedVersion == version { return self }
      throw VersionedJSON.newer(max(storedVersion, version), min(storedVersion, version))
    }
    let known = try text.map { text throws(StorageError) in try encoded.coding.known(text) }
    var step = self
    step.before = try encoded.coding.known(before)
    step.after = try encoded.coding.known(after)
    step.defaultText = try encoded.coding.known(defaultText)
    guard storedVersion != version else { return self }
    text = known
    return step
  }
}

extension AnyStorageCoding {
  /// Returns the type's own text for a stored one, in its own version.
  /// - Throws: ``SharingCore/StorageError`` if the text is of another release. Damage stays as it
  ///   is.
  fileprivate func known(_ text: [UInt8]) throws(StorageError) -> [UInt8] {
    do throws(AnyError) {
      return try parts(of: text, storesNil: true).known ?? text
    } catch {
      let error = decodingError(error, of: text)
      if case .corrupt = error.reason { return text }
      throw error
    }
  }

  fileprivate func known(_ text: UTF8Text?) throws(StorageError) -> UTF8Text? {
    guard let text else { return nil }
    return UTF8Text(try known(text.bytes))
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
