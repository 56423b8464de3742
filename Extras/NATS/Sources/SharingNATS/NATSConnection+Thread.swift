import Foundation
import SharingCore

// The thread that connects, reads, and connects again.
extension NATSConnection {
  /// Starts the thread, once. Without threads, fails all requests and followers.
  func start() {
    guard NATSThread.isAvailable else { return failAll() }
    let isFirst = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted
    }
    if isFirst { NATSThread.start { self.run() } }
  }

  private func failAll() {
    let message = """
      A WebAssembly program cannot connect to a NATS server itself. Use the page's engine, nats.js.
      """
    fail(.unavailable, message) { _ in true }
    failFollowers(message)
  }

  private func failFollowers(_ message: String) {
    let error = StorageError(.unavailable, key: nil, UTF8Text(message))
    for follower in state.withLock({ $0.followers }) { follower.fail(error) }
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
      if !wasReady { failFollowers(why) }
      let end = Date(timeIntervalSinceNow: pause * Double.random(in: 0.5...1))
      while Date() < end, !state.withLock({ $0.isClosed }) {
        NATSThread.sleep(seconds: 0.05)
        expire()
      }
    }
    fail(.unavailable, "The connection is closed.") { _ in true }
  }

  private func expire() {
    let (now, problem) = (Date(), state.withLock { $0.problem })
    fail(.unavailable, problem) { $0.deadline < now }
    let due = state.withLock { state in
      defer { state.calls.removeAll { $0.time <= now } }
      return state.calls.filter { $0.time <= now }
    }
    for call in due { call.body() }
  }

  /// - Returns: The reason why the connection ended.
  private func connect(to address: String) -> String {
    let parts = address.split(separator: ":")
    guard parts.count == 2, let port = UInt16(parts[1]) else {
      return "\"\(address)\" is not an address: write a host and a port, such as 127.0.0.1:4222."
    }
    guard let socket = NATSSocket(host: String(parts[0]), port: port) else {
      return "No server answers at \(address)."
    }
    state.withLock { $0.socket = socket }
    var parser = NATSParser()
    var lastMessage = Date()
    var isAsked = false
    while true {
      let hasCalls = state.withLock { !$0.calls.isEmpty }
      switch socket.receive(within: hasCalls ? 50 : 250) {
      case .end: return "The connection to \(address) has ended."
      case .bytes(let bytes):
        (lastMessage, isAsked) = (Date(), false)
        parser.append(bytes)
        while let event = parser.next() {
          if let why = handle(event, socket) { return why }
        }
      case .nothingInTime:
        // The server sends first.
        let limit: TimeInterval = state.withLock { $0.isReady } ? 20 : 5
        if lastMessage.timeIntervalSinceNow < -limit { return "\(address) does not answer." }
        if lastMessage.timeIntervalSinceNow < -10, !isAsked {
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

  /// - Returns: The reason to end the connection; nil to go on.
  private func handle(_ event: NATSEvent, _ socket: NATSSocket) -> String? {
    switch event {
    case .info(let text):
      let info = NATSInfo(text)
      let isFirst = state.withLock { state in
        defer { state.info = info }
        return !state.isReady
      }
      if info.requiresTLS {
        return """
          The NATS server requires TLS, which this program does not support. Connect it without \
          TLS to a leaf node or a tunnel such as stunnel on its own machine, which connects to the \
          server with TLS.
          """
      }
      if info.losesUpdates {
        return "A cluster needs nats-server 2.10.27 or later; this is \(info.version)."
      }
      return isFirst && !greet(socket) ? "The connection ended before the login was sent." : nil
    case .pong:
      if !state.withLock({ $0.isReady }) { begin() }
    case .ping: publish(line: "PONG")
    case .message(let message): handle(message)
    case .error(let text):
      let why = "The NATS server reports an error: \(text)"
      guard text.hasPrefix("'Permissions Violation"), let quoted = text.firstIndex(of: "\"") else {
        return why
      }
      let subject = text[text.index(after: quoted)...].prefix { $0 != "\"" }
      if subject.hasPrefix(state.withLock { $0.inbox }) { return why }  // nothing will be answered
      fail(.denied, why) { $0.subject == subject }
      let error = StorageError(.denied, key: nil, UTF8Text(why))
      for follower in state.withLock({ $0.followers }) {
        follower.fail(error, receivingOn: String(subject))
      }
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
    return socket.send(credentials.greeting)
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

  private func handle(_ message: NATSMessage) {
    let (request, followers) = state.withLock { state in
      let isAnswer = message.subject.hasPrefix("\(state.inbox).")
      let number = String(message.subject.dropFirst(state.inbox.count + 1))
      return (isAnswer ? state.requests.removeValue(forKey: number) : nil, state.followers)
    }
    if let request { return request.answer(.success(message)) }
    for follower in followers where follower.handle(message) { return }
  }
}

extension NATSSocket {
  /// The result of a wait for bytes.
  enum Received {
    case bytes([UInt8])
    case nothingInTime
    case end
  }
}
