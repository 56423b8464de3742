#if !os(WASI)
  import Dispatch

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// A TCP connection.
  final class NATSSocket: Sendable {
    private let descriptor: Int32

    /// Connects; nil if no address of the name answers. Waits 5 seconds for the name, and 5 for
    /// each address.
    init?(host: String, port: UInt16) {
      guard let addresses = NATSAddresses(of: host, port: port, within: 5) else { return nil }
      defer { withExtendedLifetime(addresses) {} }
      var address: UnsafeMutablePointer<addrinfo>? = addresses.first
      while let one = address?.pointee {
        let descriptor = socket(one.ai_family, one.ai_socktype, one.ai_protocol)
        if descriptor >= 0, Self.connect(descriptor, one, within: 5_000) {
          var isOn: Int32 = 1
          setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, 4)
          // A peer that stops reading would block every sender.
          var limit = timeval(tv_sec: 5, tv_usec: 0)
          let size = socklen_t(MemoryLayout<timeval>.size)
          setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
          self.descriptor = descriptor
          return
        }
        if descriptor >= 0 { close(descriptor) }
        address = one.ai_next
      }
      return nil
    }

    /// With a time limit: the system waits two minutes and more for a machine that is off.
    private static func connect(
      _ descriptor: Int32, _ address: addrinfo, within milliseconds: Int32
    ) -> Bool {
      let flags = fcntl(descriptor, F_GETFL)
      guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 else { return false }
      if systemConnect(descriptor, address.ai_addr, address.ai_addrlen) != 0 {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard errno == EINPROGRESS, systemPoll(&poll, milliseconds) == 1 else { return false }
        var (problem, size) = (Int32(0), socklen_t(4))
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &problem, &size) == 0, problem == 0
        else { return false }
      }
      return fcntl(descriptor, F_SETFL, flags) == 0
    }

    deinit { close(descriptor) }

    /// Sends all bytes.
    /// - Returns: Whether all were sent.
    func send(_ bytes: [UInt8]) -> Bool {
      #if canImport(Darwin)
        let flags: Int32 = 0
      #else
        let flags = Int32(MSG_NOSIGNAL)
      #endif
      return bytes.withUnsafeBytes { bytes in
        var sent = 0
        while sent < bytes.count {
          let count = systemSend(
            descriptor, bytes.baseAddress! + sent, bytes.count - sent, flags)
          if count < 0, errno == EINTR { continue }
          if count <= 0 {
            shutDown()  // half a message may be on its way
            return false
          }
          sent += count
        }
        return true
      }
    }

    /// Returns the bytes that arrive within some milliseconds.
    func receive(within milliseconds: Int32) -> Received {
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = systemPoll(&poll, milliseconds)
      if ready == 0 || (ready < 0 && errno == EINTR) { return .nothingInTime }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      return count > 0 ? .bytes(Array(buffer[..<count])) : .end
    }

    /// Makes `receive` return.
    func shutDown() {
      shutdown(descriptor, Int32(SHUT_RDWR))
    }
  }

  private func systemPoll(_ one: inout pollfd, _ milliseconds: Int32) -> Int32 {
    poll(&one, 1, milliseconds)
  }

  private func systemSend(
    _ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int, _ flags: Int32
  ) -> Int {
    send(descriptor, bytes, count, flags)
  }

  private func systemConnect(
    _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t
  ) -> Int32 {
    connect(descriptor, address, size)
  }

  /// The addresses of a name, as the system resolves it. They are read after the signal only.
  final class NATSAddresses: @unchecked Sendable {
    private(set) var first: UnsafeMutablePointer<addrinfo>?
    private let isDone = DispatchSemaphore(value: 0)

    /// Resolves the name on a thread of its own, since the system takes no time limit. Nil if there
    /// is no answer in time.
    init?(of host: String, port: UInt16, within seconds: Int) {
      DispatchQueue(label: "addresses").async { [self] in
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_protocol = Int32(IPPROTO_TCP)
        _ = getaddrinfo(host, "\(port)", &hints, &first)
        isDone.signal()
      }
      if isDone.wait(timeout: .now() + .seconds(seconds)) == .timedOut { return nil }
    }

    deinit { if let first { freeaddrinfo(first) } }
  }
#endif
