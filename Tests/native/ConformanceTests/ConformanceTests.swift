import Conformance
import Foundation
import SharingCore
import Testing

@Suite struct ConformanceTests {
  @Test("In memory", arguments: Case.all)
  func inMemory(_ test: Case) {
    #expect(test.run(on: .memory) == [])
  }

  @Test("In files", arguments: Case.all)
  func inFiles(_ test: Case) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(test.run(on: .files(below: UTF8Text(folder.path))) == [])
  }
}

extension Case: CustomTestStringConvertible {
  /// The case's rule and sentence.
  public var testDescription: String { "\(rule) \(name)" }
}
