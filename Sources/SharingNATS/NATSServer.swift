import SharingCore
import WasiStorage

/// Values in a bucket of a NATS server, over TCP: a native program shares them with the pages that
/// have the same bucket as an engine.
///
/// ```swift
/// let server = NATSServer(
///   ["127.0.0.1:4222"], bucket: "app", credentials: { .password("visitor", for: "visitor") })
/// SharingEnvironment.current.engines.use(for: .world) { server.store(for: $0) }
///
/// @Shared(.engine("public.score", in: .world)) var score = 0
/// $score.update { $0 += 1 }
/// ```
/// It connects with the first key, and again after pauses of 0.25 to 10 seconds, to one server
/// after the other. What is changed meanwhile is shown and pending. Nothing is encrypted: use it
/// within a machine or a network of your own, or over a tunnel. That a server requires TLS is
/// told as ``SharingCore/StorageError/Reason/unavailable``: put a leaf node or stunnel in between.
public final class NATSServer: Sendable {
  /// How a program says who it is.
  public enum Credentials: Sendable {
    /// A user's password.
    case password(String, for: String)
    /// A token of a login service, which says who the user is.
    case jwt(String)
    /// Nothing, for a server that asks nothing.
    case none
  }

  let connection: NATSConnection
  let bucket: String

  /// A server, or some of one cluster.
  /// - Parameters:
  ///   - addresses: Names or numbers with ports, `"127.0.0.1:4222"`.
  ///   - bucket: The name of the bucket.
  ///   - inbox: What the subjects begin with by which the user may be answered; `_INBOX_<user>` and
  ///     `_INBOX` are usual.
  ///   - watch: What the subjects begin with by which changes are told; `watch.<user>` and `watch`
  ///     are usual.
  ///   - credentials: Called for each connection, so that a token that expires can be renewed.
  public init(
    _ addresses: [String], bucket: String, inbox: String? = nil, watch: String? = nil,
    credentials: @escaping @Sendable () -> Credentials = { .none }
  ) {
    self.bucket = bucket
    connection = NATSConnection(addresses, inbox, watch, credentials)
  }

  deinit { connection.close() }

  /// The store of a key.
  public func store(for key: KeyName) -> any RevisionStore {
    NATSStore(key, of: self)
  }
}
