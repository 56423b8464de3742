import SharingCommits
import SharingCore
import WasiStorage

/// Stores values in a bucket of a NATS server, over TCP. A native program shares them with the
/// pages that use the same bucket as an engine.
///
/// ```swift
/// let server = NATSServer(
///   ["127.0.0.1:4222"], bucket: "app", credentials: { .password("visitor", for: "visitor") })
/// SharingEnvironment.current.engines.use(for: .world) { server.store(for: $0) }
///
/// @Shared(.engine("public.score", in: .world)) var score = 0
/// $score.update { $0 += 1 }
/// ```
/// It connects with the first key, and reconnects after pauses of 0.25 to 10 seconds, to one server
/// after the other. Changes meanwhile are shown and pending. Nothing is encrypted: use it within a
/// machine or a network of your own, or over a tunnel. A server that requires TLS fails with
/// ``SharingCore/StorageError/Reason/unavailable``: put a leaf node or stunnel in between.
public final class NATSServer: Sendable {
  /// The way in which a program authenticates.
  public enum Credentials: Sendable {
    /// A user's password.
    case password(String, for: String)
    /// A token of a login service, which identifies the user.
    case jwt(String)
    /// No credentials, for a server without authentication.
    case none
  }

  let connection: NATSConnection
  let bucket: String

  /// Creates a connection to a server, or to some servers of one cluster.
  /// - Parameters:
  ///   - addresses: Names or numbers with ports, `"127.0.0.1:4222"`.
  ///   - bucket: The name of the bucket.
  ///   - inbox: The prefix of the subjects for answers to the user; `_INBOX_<user>` and `_INBOX`
  ///     are usual.
  ///   - watch: The prefix of the subjects for changes; `watch.<user>` and `watch` are usual.
  ///   - credentials: Called for each connection, so that a token that expires can be renewed.
  public init(
    _ addresses: [String], bucket: String, inbox: String? = nil, watch: String? = nil,
    credentials: @escaping @Sendable () -> Credentials = { .none }
  ) {
    self.bucket = bucket
    connection = NATSConnection(addresses, inbox, watch, credentials)
  }

  deinit { connection.close() }

  /// Returns the store of a key.
  public func store(for key: KeyName) -> any RevisionStore {
    NATSStore(key, of: self)
  }
}
