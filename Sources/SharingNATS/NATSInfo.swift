import Foundation

/// A server's description of itself.
struct NATSInfo {
  var maxPayload = 1_048_576
  var version = ""
  var requiresTLS = false
  private var isCluster = false

  init() {}

  init(_ text: String) {
    let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    maxPayload = object?["max_payload"] as? Int ?? maxPayload
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
