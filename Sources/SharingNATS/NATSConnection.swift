import Foundation
import SharingCore
import Synchronization
import WasiStorage

/// A connection that comes back: one thread connects, reads, and connects again.
final class NATSConnection: Sendable {
  typealias Answer = @Sendable (Result<NATSMessage, StorageError>) -> Void

  private struct State: Sendable {
    var socket: NATSSocket?
    var isReady = false
    var isStarted = false
    var isClosed = false
    /// Why the last connection has ended.
    var problem = "The NATS server does not answer."
    var info = NATSInfo()
    var inbox = ""
    var watch = ""
    var lastNumber = 0
    var requests: [String: Request] = [:]
    var followers: [NATSFollower] = []
  }

  private struct Request: Sendable {
    let subject: String
    let packet: @Sendable (_ reply: String) -> [UInt8]
    let deadline: Date
    let answer: Answer
    var isSent = false
  }

  private let addresses: [String]
  private let givenInbox: String?
  private let givenWatch: String?
  private let credentials: @Sendable () -> NATSServer.Credentials
  private let state = Mutex(State())

  init(
    _ addresses: [String], _ inbox: String?, _ watch: String?,
    _ credentials: @escaping @Sendable () -> NATSServer.Credentials
  ) {
    self.addresses = addresses
    givenInbox = inbox
    givenWatch = watch
    self.credentials = credentials
  }

  func close() {
    state.withLock {
      $0.isClosed = true
      $0.socket?.shutDown()
    }
  }

  // MARK: Requests

  /// Sends a message and waits for its answer, 5 seconds at most. Until it is connected, it waits
  /// with the message.
  func request(
    _ subject: String, headers: String = "", _ body: [UInt8] = [], _ answer: @escaping Answer
  ) {
    let size = state.withLock { $0.info.maxPayload }
    guard body.count + headers.utf8.count <= size else {
      return answer(
        .failure(
          StorageError(
            .quotaExceeded, key: nil, "The server takes \(size) bytes, these are \(body.count).")))
    }
    let packet = { @Sendable (reply: String) in
      let head = headers.isEmpty ? "" : "NATS/1.0\r\n\(headers)\r\n\r\n"
      let total = head.utf8.count + body.count
      let line =
        head.isEmpty
        ? "PUB \(subject) \(reply) \(total)\r\n"
        : "HPUB \(subject) \(reply) \(head.utf8.count) \(total)\r\n"
      return Array(line.utf8) + Array(head.utf8) + body + [13, 10]
    }
    state.withLock {
      $0.lastNumber += 1
      $0.requests["\($0.lastNumber)"] = Request(
        subject: subject, packet: packet, deadline: Date(timeIntervalSinceNow: 5), answer: answer)
    }
    start()
    sendRequests()
  }

  func follow(_ follower: NATSFollower) {
    state.withLock { $0.followers.append(follower) }
    start()
    if state.withLock({ $0.isReady }) { follower.restart() }
  }

  func unfollow(_ follower: NATSFollower) {
    state.withLock { $0.followers.removeAll { $0 === follower } }
    follower.end()
  }

  /// A subject for a follower, and its number.
  func subscribe() -> (subject: String, number: Int) {
    let (subject, number) = state.withLock {
      $0.lastNumber += 1
      return ("\($0.watch).\($0.lastNumber)", $0.lastNumber)
    }
    publish(line: "SUB \(subject) \(number)")
    return (subject, number)
  }

  func unsubscribe(_ number: Int) { publish(line: "UNSUB \(number)") }

  func publish(to subject: String) { publish(line: "PUB \(subject) 0\r\n") }

  private func publish(line: String) {
    _ = state.withLock { $0.socket }?.send(Array("\(line)\r\n".utf8))
  }

  private func sendRequests() {
    state.withLock { state in
      guard state.isReady, let socket = state.socket else { return }
      for (number, request) in state.requests where !request.isSent {
        state.requests[number]?.isSent = true
        _ = socket.send(request.packet("\(state.inbox).\(number)"))
      }
    }
  }

  /// Fails requests, with what it says and the reason.
  private func fail(
    _ reason: StorageError.Reason, _ message: String, where isFailing: (Request) -> Bool
  ) {
    let failed = state.withLock { state in
      let failed = state.requests.filter { isFailing($0.value) }
      for number in failed.keys { state.requests[number] = nil }
      return Array(failed.values)
    }
    let error = StorageError(reason, key: nil, UTF8Text(message))
    for request in failed { request.answer(.failure(error)) }
  }

  // MARK: The thread

  private func start() {
    let isFirst = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted
    }
    if isFirst { Thread.detachNewThread { self.run() } }
  }

  private func run() {
    var (pause, next) = (0.25, 0)
    while !state.withLock({ $0.isClosed }) {
      let why = connect(to: addresses.isEmpty ? "" : addresses[next % addresses.count])
      next += 1
      let wasReady = state.withLock { state in
        defer { (state.isReady, state.socket, state.problem) = (false, nil, why) }
        return state.isReady
      }
      pause = wasReady ? 0.25 : min(2 * pause, 10)
      fail(.unavailable, why) { $0.isSent }
      let end = Date(timeIntervalSinceNow: pause * Double.random(in: 0.5...1))
      while Date() < end, !state.withLock({ $0.isClosed }) {
        Thread.sleep(forTimeInterval: 0.05)
        expire()
      }
    }
    fail(.unavailable, "The connection is closed.") { _ in true }
  }

  private func expire() {
    let (now, problem) = (Date(), state.withLock { $0.problem })
    fail(.unavailable, problem) { $0.deadline < now }
  }

  /// - Returns: Why it has ended.
  private func connect(to address: String) -> String {
    let parts = address.split(separator: ":")
    guard parts.count == 2, let port = UInt16(parts[1]) else {
      return "\"\(address)\" is no address: write a name and a port, as in 127.0.0.1:4222."
    }
    guard let socket = NATSSocket(host: String(parts[0]), port: port) else {
      return "Nobody answers at \(address)."
    }
    state.withLock { $0.socket = socket }
    var parser = NATSParser()
    var heard = Date()
    var isAsked = false
    while true {
      switch socket.receive(within: 250) {
      case .end: return "The connection to \(address) has ended."
      case .bytes(let bytes):
        (heard, isAsked) = (Date(), false)
        parser.append(bytes)
        while let event = parser.next() {
          if let why = take(event, socket) { return why }
        }
      case .nothingInTime:
        if heard.timeIntervalSinceNow < -20 { return "\(address) does not answer." }
        if heard.timeIntervalSinceNow < -10, !isAsked {
          isAsked = true
          publish(line: "PING")
        }
      }
      expire()
      if state.withLock({ $0.isClosed }) { return "The connection is closed." }
      if state.withLock({ $0.isReady }) {
        for follower in state.withLock({ $0.followers }) { follower.check() }
      }
    }
  }

  /// - Returns: Why the connection ends.
  private func take(_ event: NATSEvent, _ socket: NATSSocket) -> String? {
    switch event {
    case .info(let text):
      let info = NATSInfo(text)
      let isFirst = state.withLock { state in
        defer { state.info = info }
        return !state.isReady
      }
      if info.losesUpdates {
        return "A cluster needs nats-server 2.10.27; this is \(info.version)."
      }
      return isFirst && !greet(socket) ? "It does not take the greeting." : nil
    case .pong:
      if !state.withLock({ $0.isReady }) { begin() }
    case .ping: publish(line: "PONG")
    case .message(let message): take(message)
    case .error(let text):
      guard text.hasPrefix("'Permissions Violation"), let quoted = text.firstIndex(of: "\"") else {
        return "The NATS server refuses: \(text)"
      }
      let subject = text[text.index(after: quoted)...].prefix { $0 != "\"" }
      fail(.denied, "The NATS server refuses: \(text)") { $0.subject == subject }
    case .other: break
    }
    return nil
  }

  private func greet(_ socket: NATSSocket) -> Bool {
    let credentials = credentials()
    let user = credentials.user
    let mark = String(UInt64.random(in: 0 ... .max))
    state.withLock {
      $0.inbox = "\(givenInbox ?? user.map { "_INBOX_\($0)" } ?? "_INBOX").\(mark)"
      $0.watch = "\(givenWatch ?? user.map { "watch.\($0)" } ?? "watch").\(mark)"
    }
    var options = credentials.options
    // Not pedantic: the name of a consumer of a prefix ends with a wildcard.
    for (name, isOn) in [
      "verbose": false, "pedantic": false, "headers": true, "no_responders": true,
    ] {
      options[name] = isOn
    }
    options["protocol"] = 1
    let json = (try? JSONSerialization.data(withJSONObject: options)) ?? Data()
    return socket.send(Array("CONNECT ".utf8) + Array(json) + Array("\r\nPING\r\n".utf8))
  }

  private func begin() {
    let (inbox, followers) = state.withLock {
      $0.isReady = true
      $0.problem = "The NATS server does not answer."
      return ($0.inbox, $0.followers)
    }
    publish(line: "SUB \(inbox).* 0")
    sendRequests()
    for follower in followers { follower.restart() }
  }

  private func take(_ message: NATSMessage) {
    let (request, followers) = state.withLock { state in
      let isAnswer = message.subject.hasPrefix("\(state.inbox).")
      let number = String(message.subject.dropFirst(state.inbox.count + 1))
      return (isAnswer ? state.requests.removeValue(forKey: number) : nil, state.followers)
    }
    if let request { return request.answer(.success(message)) }
    for follower in followers where follower.take(message) { return }
  }
}

extension NATSServer.Credentials {
  fileprivate var user: String? {
    if case .password(_, let user) = self { user } else { nil }
  }

  fileprivate var options: [String: Any] {
    switch self {
    case .password(let password, let user): ["user": user, "pass": password]
    case .jwt(let token): ["jwt": token]
    case .none: [:]
    }
  }
}
