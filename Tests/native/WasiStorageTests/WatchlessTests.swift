#if os(Linux)
  import Foundation
  import SharingCore
  import Synchronization
  import Testing
  import WasiStorage

  /// A program that gets no inotify instance from the system when it first follows a file.
  @Suite(.timeLimit(.minutes(1))) struct WatchlessTests {
    @Test func itIsTriedAgainUntilOneIsFreeAndSaidOnce() async throws {
      await #expect(processExitsWith: .success) {
        let program = try WatchlessProgram()
        program.follow(["one", "two"])
        program.freeAll()
        try program.expectChange(of: "one", to: "1")
        try program.expectChange(of: "two", to: "2")
        guard inotifyCount() == 1 else { exit(EXIT_FAILURE) }
        // Immediately instead of twice a second.
        program.follow(["three"])
        try program.expectChange(of: "three", to: "3")
        exit(program.issueCount == 1 ? EXIT_SUCCESS : EXIT_FAILURE)
      }
    }

    /// Linux notifies only of folders that a program may list. That is not reported as an issue.
    @Test(arguments: ["", "below"])
    func filesInAFolderThatMayNotBeListedAreLookedAt(subfolder: String) async throws {
      await #expect(processExitsWith: .success) { [subfolder] in
        let program = try WatchlessProgram(unlisted: subfolder)
        program.follow(["one"])
        try program.expectChange(of: "one", to: "1")
        try program.expectChange(of: "one", to: "2")
        try program.replaceFolder()
        try program.expectChange(of: "one", to: "3")
        exit(program.issueCount == 0 ? EXIT_SUCCESS : EXIT_FAILURE)
      }
    }

    @Test func theIssueSaysWhatHelps() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let program = try WatchlessProgram(isQuiet: false)
        program.follow(["one"])
        exit(EXIT_SUCCESS)
      }
      let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(words.contains("twice a second"))
      #expect(words.contains("fs.inotify.max_user_instances"))
    }
  }

  /// A program without free file descriptors, or without the right to list its folder.
  private final class WatchlessProgram: Sendable {
    private let root: URL
    private let folder: URL
    private let store: FileStore
    private let issues = Mutex(0)
    private let taken = Mutex<[Int32]>([])
    private let seen = Mutex<[KeyName: [UInt8]]>([:])
    private let subscriptions = Mutex<[SharedSubscription]>([])

    init(isQuiet: Bool = true) throws {
      root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      folder = root
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      store = FileStore(folder: UTF8Text(folder.path))
      if isQuiet {
        SharingEnvironment.current.onIssue = { _ in self.issues.withLock { $0 += 1 } }
      }
      var limit = rlimit(rlim_cur: 64, rlim_max: 64)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      taken.withLock { taken in
        while case let descriptor = dup(0), descriptor >= 0 { taken.append(descriptor) }
      }
    }

    /// Starts the program of a user who has all permissions except to list the upper folder.
    /// - Parameter subfolder: The store's folder below that; empty for the upper one itself.
    init(unlisted subfolder: String) throws {
      root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      folder = root.appending(path: "x").appending(path: subfolder)
      store = FileStore(folder: UTF8Text(folder.path))
      SharingEnvironment.current.onIssue = { _ in self.issues.withLock { $0 += 1 } }
      try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
      if geteuid() == 0 {
        let nobody: uid_t = 65534
        guard chown(root.path, nobody, nobody) == 0, seteuid(nobody) == 0 else {
          exit(EXIT_FAILURE)
        }
      }
      try makeFolder()
    }

    /// Moves the upper folder away and creates a new one.
    func replaceFolder() throws {
      let upper = root.appending(path: "x").path
      guard rename(upper, "\(upper).old") == 0 else { exit(EXIT_FAILURE) }
      try makeFolder()
    }

    private func makeFolder() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      guard chmod(root.appending(path: "x").path, 0o300) == 0 else { exit(EXIT_FAILURE) }
    }

    var issueCount: Int { issues.withLock { $0 } }

    func follow(_ keys: [String]) {
      for key in keys {
        let subscription = store.subscribe(to: KeyName(key)) { self.noteBytes(of: KeyName(key)) }
        subscriptions.withLock { $0.append(subscription) }
      }
    }

    /// Reads the file as soon as another thread frees a descriptor.
    private func noteBytes(of key: KeyName) {
      for _ in 0..<1000 {
        if let bytes = try? store.bytes(for: key) { return seen.withLock { $0[key] = bytes } }
        usleep(1000)
      }
    }

    func freeAll() {
      for descriptor in taken.withLock({ $0 }) { close(descriptor) }
    }

    /// Writes like another program, and waits until the change is visible. Fails the process after
    /// a time limit.
    func expectChange(of key: String, to text: String) throws {
      let file = folder.appending(component: "\(key).json")
      while (try? Data(text.utf8).write(to: file)) == nil { usleep(1000) }
      for _ in 0..<10_000 {
        if seen.withLock({ $0[KeyName(key)] }) == Array(text.utf8) { return }
        usleep(1000)
      }
      exit(EXIT_FAILURE)
    }
  }

  /// Returns the number of inotify instances of this process.
  private func inotifyCount() -> Int {
    let files = FileManager.default
    while true {
      guard let names = try? files.contentsOfDirectory(atPath: "/proc/self/fd") else { continue }
      let targets = names.compactMap {
        try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      }
      return targets.count { $0.contains("inotify") }
    }
  }
#endif
