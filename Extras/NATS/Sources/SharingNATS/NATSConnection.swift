import Foundation
import SharingCommits
import SharingCore
import Synchronization
import WasiStorage

/// A connection that reconnects: one thread connects, reads, and connects again.
final class NATSConnection: Sendable {
  struct State: Sendable {
    var socket: NATSSocket?
    var isReady = false
    var isStarted = false
    var isClosed = false
    /// The reason why the last connection ended.
    var problem = "The NATS server does not answer."
    var info = NATSInfo("")
    var inbox = ""
    var watch = ""
    var lastNumber = 0
    var requests: [String: NATSRequest] = [:]
    var followers: [NATSFollower] = []
    /// The calls that wait for their time.
    var calls: [(time: Date, body: @Sendable () -> Void)] = []
  }

  let addresses: [String]
  let givenInbox: String?
  let givenWatch: String?
  let credentials: @Sendable () -> NATSServer.Credentials
  let state = Mutex(State())
  /// Held while a thread sends, up to 5 seconds, so that messages do not mix. Taken before the
  /// state's lock.
  private let sending = Mutex(())

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

  /// Sends a message and waits for its answer, at most 5 seconds. Holds the message until the
  /// connection is ready.
  func request(
    _ subject: String, headers: String = "", _ body: [UInt8] = [],
    _ answer: @escaping NATSRequest.Answer
  ) {
    let size = state.withLock { $0.info.maxPayload }
    guard body.count + headers.utf8.count <= size else {
      return answer(
        .failure(
          StorageError(
            .quotaExceeded, key: nil,
            "The server accepts at most \(size) bytes in a message; this one has \(body.count).")))
    }
    let request = NATSRequest(subject: subject, headers: headers, body: body, answer: answer)
    state.withLock {
      $0.lastNumber += 1
      $0.requests["\($0.lastNumber)"] = request
    }
    start()
    sendRequests()
  }

  /// Calls a function on the connection's thread after 50 milliseconds.
  func callLater(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.calls.append((Date(timeIntervalSinceNow: 0.05), body)) }
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

  /// Returns a new subject for a follower, and its number.
  func subscribe() -> (subject: String, number: Int) {
    let (subject, number) = state.withLock {
      $0.lastNumber += 1
      return ("\($0.watch).\($0.lastNumber)", $0.lastNumber)
    }
    publish(line: "SUB \(subject) \(number)")
    return (subject, number)
  }

  func unsubscribe(_ number: Int) { publish(line: "UNSUB \(number)") }

  func publish(line: String) {
    guard let socket = state.withLock({ $0.socket }) else { return }
    sending.withLock { _ in _ = socket.send(Array("\(line)\r\n".utf8)) }
  }

  func sendRequests() {
    sending.withLock { _ in
      guard let (socket, packets) = takeUnsentRequests() else { return }
      for packet in packets { _ = socket.send(packet) }
    }
  }

  /// Returns the packets of the unsent requests, which count as sent, and their socket; nil if the
  /// connection is not ready.
  private func takeUnsentRequests() -> (socket: NATSSocket, packets: [[UInt8]])? {
    state.withLock { state in
      guard state.isReady, let socket = state.socket else { return nil }
      var packets: [[UInt8]] = []
      for (number, request) in state.requests where !request.isSent {
        state.requests[number]?.isSent = true
        packets.append(request.packet("\(state.inbox).\(number)"))
      }
      return (socket, packets)
    }
  }

  /// Fails requests with a reason and a message.
  func fail(
    _ reason: StorageError.Reason, _ message: String, where isFailing: (NATSRequest) -> Bool
  ) {
    let failed = state.withLock { state in
      let failed = state.requests.filter { isFailing($0.value) }
      for number in failed.keys { state.requests[number] = nil }
      return Array(failed.values)
    }
    let error = StorageError(reason, key: nil, UTF8Text(message))
    for request in failed { request.answer(.failure(error)) }
  }
}
