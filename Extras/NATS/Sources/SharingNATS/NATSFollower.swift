import Foundation
import SharingCore
import Synchronization

/// Follows the subject of a key with an ordered consumer, which begins with the last stored
/// message. Replaces the consumer if messages are missing or it falls silent.
final class NATSFollower: Sendable {
  /// The events of a follower.
  enum Event {
    /// The consumer begins, or begins again. If it is empty, nothing is stored; otherwise its first
    /// message is the stored one.
    case began(isEmpty: Bool)
    case message(revision: Int64, [UInt8], isFirst: Bool)
    /// The subject cannot be followed: now, or by this user.
    case failed(StorageError)
  }

  private struct State {
    var number: Int?
    var count = 0
    var lastMessage = Date()
    var subject = ""
    /// Whether the user may not follow it.
    var isRefused = false
    /// The failures reported since the consumer began.
    var reportedFailures: [UTF8Text] = []
  }

  private let bucket: String
  private let filter: String
  private let connection: NATSConnection
  private let onEvent: @Sendable (Event) -> Void
  private let state = Mutex(State())

  init(
    _ bucket: String, _ filter: String, _ connection: NATSConnection,
    _ onEvent: @escaping @Sendable (Event) -> Void
  ) {
    self.bucket = bucket
    self.filter = filter
    self.connection = connection
    self.onEvent = onEvent
  }

  /// Makes a new consumer.
  func restart() {
    let (subject, number) = connection.subscribe()
    let old = state.withLock { state in
      defer {
        (state.number, state.subject, state.count, state.lastMessage) = (number, subject, 0, Date())
        state.isRefused = false
      }
      return state.number
    }
    if let old { connection.unsubscribe(old) }
    let name = "f\(UInt64.random(in: 0 ... .max))"
    let config: [String: Any] = [
      "name": name, "deliver_subject": subject, "ack_policy": "none", "max_deliver": 1,
      "mem_storage": true, "num_replicas": 1, "flow_control": true,
      "idle_heartbeat": 1_000_000_000, "inactive_threshold": 20_000_000_000 as Int64,
      "filter_subject": filter, "deliver_policy": "last_per_subject",
    ]
    let body = ["stream_name": "KV_\(bucket)", "config": config] as [String: Any]
    let json = (try? JSONSerialization.data(withJSONObject: body)) ?? Data()
    connection.request("KVAPI.CREATE.\(name).\(filter)", Array(json)) { result in
      switch result {
      case .success(let message): self.handleAnswer(message, number)
      case .failure(let error): self.fail(error)
      }
    }
  }

  private func handleAnswer(_ message: NATSMessage, _ number: Int) {
    let answer = NATSAnswer(message)
    guard let pending = answer?.content["num_pending"] as? Int else {
      let status = message.status.map { "status \($0)" } ?? "no answer"
      let why = "The bucket \"\(bucket)\" cannot be followed: \(answer?.problem ?? status)."
      let reason: StorageError.Reason = answer?.isQuota ?? false ? .quotaExceeded : .unavailable
      return fail(StorageError(reason, key: nil, UTF8Text(why)))
    }
    let isEmpty: Bool? = state.withLock { state in
      guard state.number == number, !state.isRefused else { return nil }
      state.reportedFailures = []
      // A message may come before this answer.
      return pending == 0 && state.count == 0
    }
    if let isEmpty { onEvent(.began(isEmpty: isEmpty)) }
  }

  /// Reports a failure, once for each reason. Unless the user may not follow the subject, the
  /// consumer falls silent and is replaced.
  func fail(_ error: StorageError) {
    let isNew = state.withLock { state in
      if error.reason == .denied { state.isRefused = true }
      // A refusal names the subject, which differs each time.
      let reason = error.reason == .denied ? "It is denied." : error.advice
      if state.reportedFailures.contains(reason) { return false }
      state.reportedFailures.append(reason)
      return true
    }
    if isNew { onEvent(.failed(error)) }
  }

  /// Fails if the follower receives on this subject.
  func fail(_ error: StorageError, receivingOn subject: String) {
    if state.withLock({ $0.subject == subject }) { fail(error) }
  }

  /// Ends the consumer.
  func end() {
    if let number = state.withLock({ $0.number }) { connection.unsubscribe(number) }
  }

  /// Replaces the consumer if it has fallen silent.
  func check() {
    let isSilent = state.withLock { !$0.isRefused && $0.lastMessage.timeIntervalSinceNow < -3 }
    if isSilent { restart() }
  }

  /// Handles a message, if it is for this follower.
  func handle(_ message: NATSMessage) -> Bool {
    let isMine = state.withLock {
      guard $0.number == message.subscription else { return false }
      $0.lastMessage = Date()
      return true
    }
    guard isMine else { return false }
    if message.status == 100 {
      let last = message.header("Nats-Last-Consumer").flatMap { Int($0) } ?? 0
      if last > state.withLock({ $0.count }) { restart() }
      // Answer flow control only: another subject would let others send through this user.
      if let reply = message.reply, reply.hasPrefix("$JS.FC.") {
        connection.publish(line: "PUB \(reply) 0\r\n")
      }
      return true
    }
    // $JS.ACK.stream.consumer.n.REVISION.COUNT.time.pending
    let words = (message.reply ?? "").split(separator: ".").map(String.init)
    guard words.count >= 9, let revision = Int64(words[words.count - 4]),
      let count = Int(words[words.count - 3])
    else { return true }
    let isNext = state.withLock {
      guard count == $0.count + 1 else { return false }
      $0.count = count
      return true
    }
    guard isNext else {
      restart()
      return true
    }
    onEvent(.message(revision: revision, message.body, isFirst: count == 1))
    return true
  }
}

extension StorageError {
  /// Whether the server answers, but refuses to report changes: the user has no permission, or the
  /// server has the maximum of consumers.
  var isRefusal: Bool { reason == .denied || reason == .quotaExceeded }
}
