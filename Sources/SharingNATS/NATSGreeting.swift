import Foundation

/// The greeting of a program to a server: its user, and the parts of the protocol that it supports.
struct NATSGreeting {
  let credentials: NATSServer.Credentials

  /// The name of a user with a password.
  var user: String? {
    if case .password(_, let user) = credentials { user } else { nil }
  }

  var packet: [UInt8] {
    var options = who
    // Not pedantic: the name of a consumer for a prefix ends with a wildcard.
    for (name, isOn) in [
      "verbose": false, "pedantic": false, "headers": true, "no_responders": true,
    ] {
      options[name] = isOn
    }
    options["protocol"] = 1
    let json = (try? JSONSerialization.data(withJSONObject: options)) ?? Data()
    return Array("CONNECT ".utf8) + Array(json) + Array("\r\nPING\r\n".utf8)
  }

  private var who: [String: Any] {
    switch credentials {
    case .password(let password, let user): ["user": user, "pass": password]
    case .jwt(let token): ["jwt": token]
    case .none: [:]
    }
  }
}
