import Testing
import WasiStorage

/// Readers and writers have value semantics, although they share memory.
@Suite("JSON copies")
struct JSONCopyTests {
  @Test("a copy of a reader can try a form and come back")
  func copies() throws {
    var reader = JSONReader(Array("\"7\" 8".utf8))
    var attempt = reader
    #expect(throws: JSONError.self) { try Int.decode(from: &attempt) }
    #expect(try String.decode(from: &reader) == "7")
    #expect(try Int.decode(from: &reader) == 8)
    try reader.finish()
    #expect(reader.offset == 5)
  }

  @Test("a copy of a writer can try a form and come back")
  func writerComesBack() throws {
    var writer = JSONWriter()
    try writer.beginArray()
    var attempt = writer
    #expect(throws: JSONError.self) { try attempt.element([1, .nan], at: 0) }
    try writer.element("none", at: 0)
    writer.endArray()
    #expect(writer.bytes == Array(#"["none"]"#.utf8))
    #expect(attempt.bytes == Array("[[1.0,".utf8))
  }

  @Test("two copies of a writer write on without disturbing each other", arguments: [0, 4096])
  func writersPart(capacity: Int) throws {
    var one = JSONWriter(capacity: capacity)
    try one.beginArray()
    var other = one
    for index in 0..<100 {
      try one.element(index, at: index)
      try other.element("\(index)", at: index)
    }
    one.endArray()
    other.endArray()
    #expect(try JSON.decode([Int].self, from: one.bytes) == Array(0..<100))
    #expect(try JSON.decode([String].self, from: other.bytes) == (0..<100).map { "\($0)" })
    #expect(one.count == one.bytes.count)
  }
}
