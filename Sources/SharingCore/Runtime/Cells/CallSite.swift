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
