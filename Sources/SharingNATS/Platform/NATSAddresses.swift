import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The addresses of a name, as the system resolves it.
final class NATSAddresses: @unchecked Sendable {
  let first: UnsafeMutablePointer<addrinfo>

  private init(_ first: UnsafeMutablePointer<addrinfo>) {
    self.first = first
  }

  deinit { freeaddrinfo(first) }

  /// Resolves the name on a thread of its own, since the system takes no time limit.
  /// - Returns: Nil if there are no addresses, or none in time.
  static func find(_ host: String, port: UInt16, within seconds: Int) -> NATSAddresses? {
    let search = Search()
    DispatchQueue(label: "addresses").async {
      search.found = ask(host, port)
      search.isDone.signal()
    }
    return search.isDone.wait(timeout: .now() + .seconds(seconds)) == .success ? search.found : nil
  }

  /// The result is read after the signal only.
  private final class Search: @unchecked Sendable {
    let isDone = DispatchSemaphore(value: 0)
    var found: NATSAddresses?
  }

  private static func ask(_ host: String, _ port: UInt16) -> NATSAddresses? {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    #if canImport(Glibc)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let found else { return nil }
    return NATSAddresses(found)
  }
}
