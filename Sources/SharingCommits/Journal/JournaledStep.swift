import SharingCore
import WasiStorage

/// A step of a journal; see ``JournaledSteps``.
struct JournaledStep: Sendable {
  let number: Int
  let kind: Kind
  let key: KeyName
  let before: [UInt8]?
  let after: [UInt8]?
  let defaultText: [UInt8]?

  /// The kind of change, with its number in journals.
  enum Kind: Int { case set, update, adoption }

  var isOnDefault: Bool { before == nil }

  /// The text that the step was made on.
  var former: [UInt8]? { before ?? defaultText }

  var isUpdate: Bool { kind == .update }

  /// Applies the step to a text. Also returns whether it replaces something there.
  /// - Parameter coding: The coding of the value; nil if this program does not have it. Then a
  ///   merged text is not checked.
  func made(
    on text: [UInt8]?, _ coding: AnyStorageCoding?
  ) -> (text: [UInt8]?, hasLoss: Bool) {
    JSONMerge.merge(former, after, text, addsNumbers: isUpdate) { coding?.decodes($0) ?? true }
  }

  /// Whether the step cannot be applied to a text without the value's type: the text was removed,
  /// or has another version.
  func isOfOtherForm(than text: [UInt8]?, _ revision: Int64) -> Bool {
    guard let text else { return !isOnDefault && revision > 0 }
    return after.map { VersionedJSON.version(of: $0) != VersionedJSON.version(of: text) } ?? false
  }
}

extension UTF8Text {
  /// The number in these digits; nil for another text.
  var number: Int? { try? JSON.decode(Int.self, from: bytes) }
}

extension PendingStep {
  /// The kind of change in a journal.
  var kind: JournaledStep.Kind {
    switch change {
    case .set: .set
    case .updates: .update
    case .adoption: .adoption
    }
  }
}
