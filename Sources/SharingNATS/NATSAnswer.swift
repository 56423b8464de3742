import Foundation
import SharingCore

/// The server's answer to a request of the bucket, in JSON.
struct NATSAnswer {
  let content: [String: Any]

  /// Reads an answer; nil if it is not JSON, as without a responder.
  init?(_ message: NATSMessage) {
    guard
      let content = try? JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any]
    else { return nil }
    self.content = content
  }

  /// Whether another revision was expected.
  var isConflict: Bool { [10071, 10164].contains(error?["err_code"] as? Int) }

  /// The reason of a refusal; nil if the request is not refused.
  var problem: String? { error.map { "\($0["description"] ?? "the server gave no reason")" } }

  /// Whether it refuses for lack of room, or since it has the maximum of consumers.
  var isQuota: Bool {
    ["exceed", "insufficient", "limit"].contains { problem?.contains($0) ?? false }
  }

  private var error: [String: Any]? { content["error"] as? [String: Any] }
}
