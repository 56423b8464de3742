/// A place in the source, for messages.
struct CallSite {
  let fileID: StaticString
  let line: UInt

  var text: UTF8Text {
    "\(fileID):\(Int(line))"
  }
}
