import Foundation
import SharingCore

/// A protocol message from a server.
enum NATSEvent {
  case info(String)
  case message(NATSMessage)
  case ping
  case pong
  case error(String)
  case other
}

/// A message that a subscription has received.
struct NATSMessage {
  /// The number of the subscription: a consumer's messages keep the subject that they were sent to.
  var subscription: Int
  var subject: String
  var reply: String?
  var head: String
  var body: [UInt8]

  /// The status in the head, such as 404 or 503; nil if it has none.
  var status: Int? {
    let words = head.prefix { $0 != "\r\n" }.split(separator: " ")
    return words.count > 1 ? Int(words[1]) : nil
  }

  /// The value of a header.
  func header(_ name: String) -> String? {
    for line in head.split(separator: "\r\n").dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0] == name { return String(parts[1].drop { $0 == " " }) }
    }
    return nil
  }
}

/// Parses events from bytes that arrive in pieces of any length.
struct NATSParser {
  private var buffer: [UInt8] = []
  private var start = 0

  mutating func append(_ bytes: [UInt8]) {
    buffer.removeFirst(start)
    start = 0
    buffer += bytes
  }

  /// Returns the next event; nil until it is complete.
  mutating func next() -> NATSEvent? {
    guard let end = buffer[start...].firstIndex(of: 10) else { return nil }
    let line = text(start..<max(start, end - 1))
    let words = line.split(separator: " ").map(String.init)
    guard words.first == "MSG" || words.first == "HMSG" else {
      start = end + 1
      return event(line, words)
    }
    let isPlain = words[0] == "MSG"
    guard words.count >= (isPlain ? 4 : 5), let total = size(words[words.count - 1]),
      let head = isPlain ? 0 : size(words[words.count - 2]), head <= total
    else { return .error("'A message has no size.'") }
    guard buffer.count >= end + 1 + total + 2 else { return nil }
    let body = end + 1
    start = body + total + 2
    return .message(
      NATSMessage(
        subscription: Int(words[2]) ?? 0, subject: words[1],
        reply: words.count == (isPlain ? 5 : 6) ? words[3] : nil,
        head: text(body..<body + head), body: Array(buffer[body + head..<body + total])))
  }

  /// Returns a number of bytes; nil for one beyond 2 GB, which no server sends.
  private func size(_ word: String) -> Int? {
    Int(word).flatMap { (0...Int(Int32.max)).contains($0) ? $0 : nil }
  }

  private func event(_ line: String, _ words: [String]) -> NATSEvent {
    switch words.first {
    case "INFO": .info(String(line.dropFirst(5)))
    case "PING": .ping
    case "PONG": .pong
    case "-ERR": .error(String(line.dropFirst(5)))
    default: .other
    }
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: buffer[range], as: UTF8.self)
  }
}

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

  /// The key's last sequence if another one was expected; nil if the answer does not have it.
  var lastSequence: Int64? {
    // "wrong last sequence: 7"
    isConflict ? problem?.split(separator: " ").last.flatMap { Int64($0) } : nil
  }

  /// The reason of a refusal; nil if the request is not refused.
  var problem: String? { error.map { "\($0["description"] ?? "the server gave no reason")" } }

  /// Whether it refuses for lack of room, or since it has the maximum of consumers.
  var isQuota: Bool {
    ["exceed", "insufficient", "limit"].contains { problem?.contains($0) ?? false }
  }

  private var error: [String: Any]? { content["error"] as? [String: Any] }
}

/// A server's description of itself.
struct NATSInfo {
  let maxPayload: Int
  let version: String
  let requiresTLS: Bool
  private let isCluster: Bool

  /// Reads a description in JSON. Members that are missing have defaults.
  init(_ text: String) {
    let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    maxPayload = object?["max_payload"] as? Int ?? 1_048_576
    version = object?["version"] as? String ?? ""
    requiresTLS = object?["tls_required"] as? Bool ?? false
    isCluster = object?["cluster"] != nil
  }

  /// Whether a cluster of this version (before 2.10.27) accepts two commits from one revision.
  var losesUpdates: Bool {
    let numbers = version.split(separator: ".").compactMap { Int($0.prefix { $0.isNumber }) }
    return isCluster && numbers.lexicographicallyPrecedes([2, 10, 27])
  }
}
