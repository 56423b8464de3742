/// A misuse of shared state, with its place and a remedy.
public struct SharingIssue: Sendable, CustomStringConvertible {
  /// The severity of the issue.
  package enum Severity: Sendable {
    /// The program continues.
    case warning
    /// The program stops after this report.
    case fatal
  }

  /// The severity of the issue.
  package private(set) var severity = Severity.warning
  /// The problem and its remedy.
  public let message: UTF8Text
  private let site: CallSite?

  /// Creates an issue at a place, if that is known.
  package init(_ message: UTF8Text, at site: CallSite? = nil) {
    self.message = message
    self.site = site.flatMap { $0.isKnown ? $0 : nil }
  }

  /// The place in the source, as `Module/File.swift`; nil if unknown.
  package var fileID: StaticString? { site?.fileID }

  /// The line of the place in the source; nil if unknown.
  package var line: UInt? { site?.line }

  /// The place in the source, as `Module/File.swift:12: `, and the message.
  package var text: UTF8Text {
    if let site { "\(site.text): Sharing: \(message)" } else { "Sharing: \(message)" }
  }

  /// The place in the source, as `Module/File.swift:12: `, and the message.
  public var description: String { text.description }

  /// Reports the issue and stops the program.
  ///
  /// For misuse after which no result would be right. Embedded Swift drops the text of a
  /// `fatalError` in release builds, so `onIssue` receives it first.
  func stop() -> Never {
    var lastWords = self
    lastWords.severity = .fatal
    SharingEnvironment.current.onIssue(lastWords)
    fatalError("Shared state was misused; the issue has been reported.")
  }
}

/// A place in the source, for messages.
package struct CallSite: Sendable {
  let fileID: StaticString
  let line: UInt

  package init(fileID: StaticString, line: UInt) {
    self.fileID = fileID
    self.line = line
  }

  /// The line of a change that has no call site.
  static var unknownLine: UInt { 0 }

  /// Whether it is a place of the program's source.
  var isKnown: Bool { line != Self.unknownLine }

  var text: UTF8Text {
    isKnown ? "\(fileID):\(Int(line))" : "an unknown place"
  }
}
