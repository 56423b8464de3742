import SharingCore

/// A step that a journal has.
struct JournaledStep {
  let number: Int
  let kind: UTF8Text
  let before: [UInt8]?
  let after: [UInt8]?
  let defaultText: [UInt8]?

  var isOnDefault: Bool { before == nil }

  /// What it was made on.
  var former: [UInt8]? { before ?? defaultText }

  var isUpdate: Bool { kind == "update" }

  /// What the step makes of a text.
  func made(on text: [UInt8]?, _ hasLoss: inout Bool) -> [UInt8]? {
    var merge = JSONMerge(addsNumbers: isUpdate)
    defer { hasLoss = merge.hasLoss }
    return merge.merge(former, after, text)
  }

  /// Whether it cannot be made on a text without the value's type: that was removed, or is of
  /// another version.
  func isOfOtherForm(than text: [UInt8]?, _ revision: Int64) -> Bool {
    guard let text else { return !isOnDefault && revision > 0 }
    return after.map { VersionedJSON.version(of: $0) != VersionedJSON.version(of: text) } ?? false
  }
}

extension UTF8Text {
  /// The number that these digits stand for.
  var number: Int? { try? JSON.decode(Int.self, from: bytes) }
}

extension PendingStep {
  /// What a journal calls the kind of its change.
  var kind: UTF8Text {
    switch change {
    case .set: "set"
    case .updates: "update"
    case .adoption: "adopt"
    }
  }
}
