import Foundation
import SharingCore
import Synchronization
import Testing
import WasiStorage

/// The effects of a folder's stores, and their notifications.
@Suite struct FolderTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private let key = KeyName("notes")

  @Test func aDocumentStoreTellsAtOnceOfWhatIsStoredThroughIt() throws {
    defer { cleanUp() }
    let store = DocumentStore(folder: UTF8Text(folder.path))
    let heard = Mutex<[[UInt8]?]>([])
    let subscription = store.subscribe(to: key) {
      let bytes = try? store.bytes(for: self.key)
      heard.withLock { $0.append(bytes) }
    }
    try store.set([0x31], for: key)
    #expect(heard.withLock { $0.contains([0x31]) })
    try store.remove(key)
    #expect(heard.withLock { $0.last == .some(nil) })
    subscription.cancel()
  }

  @Test func itReleasesTheListenerOfAnEndedSubscription() {
    defer { cleanUp() }
    let store = DocumentStore(folder: UTF8Text(folder.path))
    weak var listener: Followed?
    do {
      let made = Followed()
      listener = made
      store.subscribe(to: key) { made.hear() }.cancel()
    }
    // The thread that polls may keep it until its round ends.
    let end = ContinuousClock.now + .seconds(30)
    while listener != nil, ContinuousClock.now < end { Thread.sleep(forTimeInterval: 0.001) }
    #expect(listener == nil)
  }

  @Test func whatCannotBeRemovedIsToldAndStays() throws {
    defer { cleanUp() }
    let file = folder.appending(path: "notes.json")
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    for store: any KeyValueStore in [
      FileStore(folder: UTF8Text(folder.path)),
      DocumentStore(folder: UTF8Text(folder.path)),
    ] {
      let key = store is FileStore ? key : KeyName("notes.json")
      let error = #expect(throws: StorageError.self) { try store.remove(key) }
      #expect(error?.key == key)
      #expect(error?.advice.description.contains("notes.json") == true)
    }
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  // MARK: Names

  @Test(arguments: ["a\0b", "\0"])
  func aPathWithANULIsRefusedAndTouchesNoOtherFile(_ path: String) throws {
    defer { cleanUp() }
    let store = DocumentStore(folder: UTF8Text(folder.path))
    try store.set([0x31], for: KeyName("a"))
    for attempt: () throws -> Void in [
      { _ = try store.bytes(for: KeyName(path)) }, { try store.set([0x32], for: KeyName(path)) },
      { try store.remove(KeyName(path)) },
    ] {
      let error = #expect(throws: StorageError.self) { try attempt() }
      #expect(error?.advice.description.contains("no file can have that name") == true)
    }
    #expect(try store.bytes(for: KeyName("a")) == [0x31])
    #expect(try names() == ["a"])
  }

  @Test func aDocumentMayHaveTheLongestNameThatAFileCanHave() throws {
    defer { cleanUp() }
    let store = DocumentStore(folder: UTF8Text(folder.path))
    let longest = String(repeating: "n", count: 255)
    try store.set([0x31], for: KeyName(longest))
    try store.set([0x32], for: KeyName(longest))
    #expect(try store.bytes(for: KeyName(longest)) == [0x32])
    #expect(try names() == [longest])
    #expect(throws: StorageError.self) { try store.set([0x33], for: KeyName(longest + "n")) }
    #expect(try names() == [longest])
  }

  @Test(arguments: ["", ".", "..", "below/", "below"])
  func aFolderIsNoDocument(_ path: String) throws {
    defer { cleanUp() }
    let below = folder.appending(path: "below")
    try FileManager.default.createDirectory(at: below, withIntermediateDirectories: true)
    let store = DocumentStore(folder: UTF8Text(folder.path))
    for attempt: () throws -> Void in [
      { _ = try store.bytes(for: KeyName(path)) }, { try store.set([0x32], for: KeyName(path)) },
    ] {
      let error = #expect(throws: StorageError.self) { try attempt() }
      #expect(error?.advice.description.contains("a folder has that name") == true)
    }
    #expect(try names() == ["below"])
  }

  @Test func whatIsNoFileIsNotReplaced() throws {
    defer { cleanUp() }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let pipe = folder.appending(path: "notes.json").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let store = FileStore(folder: UTF8Text(folder.path))
    for attempt: () throws -> Void in [
      { _ = try store.bytes(for: key) }, { try store.set([0x32], for: key) },
    ] {
      let error = #expect(throws: StorageError.self) { try attempt() }
      #expect(error?.advice.description.contains("a pipe, socket, device") == true)
    }
    #expect(try names() == ["notes.json"])
  }

  /// Otherwise each key would be a file in the root.
  @Test func anEmptyPathIsTheCurrentFolder() throws {
    let key = KeyName(folder.lastPathComponent)
    let current = FileManager.default.currentDirectoryPath
    let file = FileManager.default.temporaryDirectory.appending(path: "\(key)-document")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("1".utf8).write(to: file)
    let up = String(repeating: "../", count: current.split(separator: "/").count)
    #expect(
      try DocumentStore(folder: "").bytes(for: KeyName("\(up)\(file.path.dropFirst())")) == [0x31])

    let store = FileStore(folder: ".")
    try store.set([0x32], for: key)
    defer { try? store.remove(key) }
    #expect(try FileStore(folder: "").bytes(for: key) == [0x32])
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
  }

  private func cleanUp() {
    try? FileManager.default.removeItem(at: folder)
  }
}

private final class Followed: Sendable {
  func hear() {}
}
