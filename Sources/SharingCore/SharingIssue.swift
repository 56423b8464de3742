/// Misuse of shared state: what happened, where, and what to do instead.
public struct SharingIssue: Sendable, CustomStringConvertible {
  /// How much it matters.
  public enum Severity: Sendable {
    /// The program goes on.
    case warning
    /// The program stops: these are its last words.
    case fatal
  }

  /// How much it matters.
  public private(set) var severity = Severity.warning
  /// The place in the source, as `Module/File.swift:12: `, what happened, and how to mend it.
  public let text: UTF8Text

  /// The ``text`` as a string.
  public var description: String { text.description }

  init(_ message: UTF8Text, at site: CallSite? = nil) {
    let place = site?.text ?? ""
    text = place.isEmpty ? "Sharing: \(message)" : "\(place): Sharing: \(message)"
  }

  /// Reports the issue as the program's last words and stops it.
  ///
  /// For misuse after which no result would be right. Embedded Swift drops the text of a
  /// `fatalError` in release builds, so the sink of the environment hears it first.
  func stop() -> Never {
    var lastWords = self
    lastWords.severity = .fatal
    SharingEnvironment.current.report(lastWords)
    fatalError("Shared state was misused; the issue has been reported.")
  }
}
