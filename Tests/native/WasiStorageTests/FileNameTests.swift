import Foundation
import SharingCore
import Testing
import WasiStorage

/// The file names of keys.
@Suite struct FileNameTests {
  @Test(arguments: [
    ("count", "count.json"), ("", ".json"), ("a.b", "a.b.json"), (".a", "%2Ea.json"),
    ("/../", "%2F..%2F.json"), ("Ä B", "%C3%84%20%42.json"),
    (String(repeating: "a", count: 250), String(repeating: "a", count: 250) + ".json"),
  ])
  func aKeyHasAFileName(key: String, name: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileStore(folder: UTF8Text(folder.path)).set([1], for: KeyName(key))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names == [name])
  }
}
