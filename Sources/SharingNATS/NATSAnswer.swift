import Foundation
import SharingCore

/// What the bucket's server answers to a request, in JSON.
struct NATSAnswer {
  let content: [String: Any]

  /// Nil where it is no JSON, as where nobody answers.
  init?(_ message: NATSMessage) {
    guard
      let content = try? JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any]
    else { return nil }
    self.content = content
  }

  /// Whether another revision was expected.
  var isConflict: Bool { [10071, 10164].contains(error?["err_code"] as? Int) }

  /// Why it refuses; nil where it does not.
  var problem: String? { error.map { "\($0["description"] ?? "It says no more.")" } }

  /// Whether it refuses because it has no room, or as many consumers as it takes.
  var isQuota: Bool {
    ["exceed", "insufficient", "limit"].contains { problem?.contains($0) ?? false }
  }

  private var error: [String: Any]? { content["error"] as? [String: Any] }
}
