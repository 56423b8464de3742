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
  /// What happened, and how to mend it.
  public let message: UTF8Text
  private let site: CallSite?

  /// Reports what happened at a place, where that is known.
  package init(_ message: UTF8Text, at site: CallSite? = nil) {
    self.message = message
    self.site = site.flatMap { $0.isKnown ? $0 : nil }
  }

  /// The place in the source, as `Module/File.swift`; nil where it is not known.
  public var fileID: StaticString? { site?.fileID }

  /// The line of the place in the source; nil where it is not known.
  public var line: UInt? { site?.line }

  /// The place in the source, as `Module/File.swift:12: `, and the message.
  public var text: UTF8Text {
    if let site { "\(site.text): Sharing: \(message)" } else { "Sharing: \(message)" }
  }

  /// The ``text`` as a string.
  public var description: String { text.description }

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
