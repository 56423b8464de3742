/// A place in the source, for messages.
package struct CallSite: Sendable {
  let fileID: StaticString
  let line: UInt

  package init(fileID: StaticString, line: UInt) {
    self.fileID = fileID
    self.line = line
  }

  var text: UTF8Text {
    "\(fileID):\(Int(line))"
  }
}
