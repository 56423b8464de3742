import Foundation

// The thread of a connection. WebAssembly has neither threads nor sockets.
#if os(WASI)
  enum NATSThread {
    static var isAvailable: Bool { false }

    static func start(_ body: @escaping @Sendable () -> Void) {}

    static func sleep(seconds: TimeInterval) {}
  }

  final class NATSSocket: Sendable {
    init?(host: String, port: UInt16) { return nil }

    func send(_ bytes: [UInt8]) -> Bool { false }

    func receive(within milliseconds: Int32) -> Received { .end }

    func shutDown() {}
  }
#else
  enum NATSThread {
    static var isAvailable: Bool { true }

    static func start(_ body: @escaping @Sendable () -> Void) {
      Thread.detachNewThread(body)
    }

    static func sleep(seconds: TimeInterval) {
      Thread.sleep(forTimeInterval: seconds)
    }
  }
#endif
