import Foundation
import SharingCore

/// A message that expects an answer within 5 seconds.
struct NATSRequest: Sendable {
  typealias Answer = @Sendable (Result<NATSMessage, StorageError>) -> Void

  let subject: String
  let headers: String
  let body: [UInt8]
  let answer: Answer
  let deadline = Date(timeIntervalSinceNow: 5)
  var isSent = false

  /// Returns the bytes to send, with the subject for the answer.
  func packet(_ reply: String) -> [UInt8] {
    let head = headers.isEmpty ? "" : "NATS/1.0\r\n\(headers)\r\n\r\n"
    let total = head.utf8.count + body.count
    let line =
      head.isEmpty
      ? "PUB \(subject) \(reply) \(total)\r\n"
      : "HPUB \(subject) \(reply) \(head.utf8.count) \(total)\r\n"
    return Array(line.utf8) + Array(head.utf8) + body + [13, 10]
  }
}

extension NATSServer.Credentials {
  /// The name of a user with a password.
  var user: String? {
    if case .password(_, let user) = self { user } else { nil }
  }

  /// The greeting of a program: its user, and the parts of the protocol that it supports.
  var greeting: [UInt8] {
    var options: [String: Any] = [
      "verbose": false, "pedantic": false, "headers": true, "no_responders": true, "protocol": 1,
    ]
    switch self {
    case .password(let password, let user): (options["user"], options["pass"]) = (user, password)
    case .jwt(let token): options["jwt"] = token
    case .none: break
    }
    let json = (try? JSONSerialization.data(withJSONObject: options)) ?? Data()
    return Array("CONNECT ".utf8) + Array(json) + Array("\r\nPING\r\n".utf8)
  }
}
