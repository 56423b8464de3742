import Foundation
import SharingCore
import Testing
import WasiStorage

/// File names in folders that older programs have written: they must not change.
@Suite struct FileNameTests {
  @Test(arguments: [
    ("count", "count.json"), ("", ".json"), ("a.b", "a.b.json"), (".a", "%2Ea.json"),
    ("/../", "%2F..%2F.json"), ("Ä B", "%C3%84%20%42.json"),
    (String(repeating: "a", count: 200), String(repeating: "a", count: 200) + ".json"),
    (
      String(repeating: "a", count: 201),
      String(repeating: "a", count: 150) + "~BDE41BF94E191FA507FD06B2A4E7D57C.json"
    ),
  ])
  func aKeyMakesTheSameNameForEver(key: String, name: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileStore(folder: UTF8Text(folder.path)).set([1], for: KeyName(key))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.filter { !$0.hasSuffix(".key") } == [name])
  }
}
