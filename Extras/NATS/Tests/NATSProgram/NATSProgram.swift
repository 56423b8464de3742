import Foundation
import SharingCommits
import SharingCore
import SharingNATS
import SharingTestDoubles
import WasiStorage

extension EngineName {
  fileprivate static let world: EngineName = "world"
}

/// Counts under one key of a NATS server, for the tests in ../command and ../browser:
///
///     NATSProgram ADDRESS[,ADDRESS…] USER PASSWORD KEY COUNT [WATCH [INBOX]]
///
/// prints the count when all of it is stored, and before that what it is told; with a COUNT of 0,
/// each count that it hears of. With `read` for the COUNT it does so, too, and cannot change it.
/// With
/// `contract`, it prints what the store of that key does not do as every store has to. With
/// `other`, it counts once under another key of that store. With `lines`, it counts once for each
/// line that it reads, and prints a line when that is stored; with `shows`, that is the count. With
/// `watch`, it prints each revision that the store of the key reports; a line that it reads is the
/// expected revision of a commit. With `bytes`, it stores bytes that are not UTF-8, and prints the
/// error. With `release`, it follows the key until it reads a line, and releases the store then.
/// WATCH and INBOX are the beginnings of the subjects of its changes and its answers.
@main struct NATSProgram {
  static func main() {
    let words = CommandLine.arguments
    let server = NATSServer(
      words[1].split(separator: ",").map(String.init), bucket: "app",
      inbox: words.count > 7 ? words[7] : nil, watch: words.count > 6 ? words[6] : nil,
      credentials: { .password(words[3], for: words[2]) })
    SharingEnvironment.current.engines.use(for: .world) { server.store(for: $0) }
    if words[5] == "read" { return read(words[4]) }
    if words[5] == "other" {
      let store = server.store(for: KeyName(words[4]))
      SharingEnvironment.current.engines.use(for: .world) { _ in store }
      return count(under: "\(words[4]).other", times: 1)
    }
    if words[5] == "contract" { return tryContract(of: server.store(for: KeyName(words[4]))) }
    if words[5] == "lines" { return countLines(under: words[4]) { _ in "stored" } }
    if words[5] == "shows" { return countLines(under: words[4]) { "\($0)" } }
    if words[5] == "watch" { return watch(server.store(for: KeyName(words[4])), words[4]) }
    if words[5] == "release" { return release(server.store(for: KeyName(words[4]))) }
    if words[5] == "bytes" { return storeBytes(in: server.store(for: KeyName(words[4]))) }
    count(under: words[4], times: Int(words[5]) ?? 0)
  }

  nonisolated private static func tryContract(of store: any RevisionStore) {
    let failures = contractFailures(of: store) { isAnswered in
      let end = Date(timeIntervalSinceNow: 20)
      while !isAnswered(), Date() < end { Thread.sleep(forTimeInterval: 0.001) }
    }
    for failure in failures { say("\(failure)") }
  }

  nonisolated private static func read(_ key: String) {
    @SharedReader(.engine(key, in: .world)) var count = 0
    let observer = observe {
      if let error = $count.loadError { return say(error) }
      if !$count.isLoading { say("\(count)") }
    }
    while true { Thread.sleep(forTimeInterval: 1) }
    withExtendedLifetime(observer) {}
  }

  // Its observers run on the thread on which something changes.
  nonisolated private static func count(under key: String, times: Int) {
    @Shared(.engine(key, in: .world)) var count = 0
    let errors = observe {
      if let error = $count.saveError ?? $count.loadError { say(error) }
    }
    let follower = times == 0 ? observe { say("\(count)") } : nil
    for _ in 0..<times { $count.update { $0 += 1 } }
    while times == 0 || $count.isSaving { Thread.sleep(forTimeInterval: 0.005) }
    say("\(count)")
    withExtendedLifetime([errors, follower]) {}
  }

  nonisolated private static func countLines(
    under key: String, _ line: (_ count: Int) -> String
  ) {
    @Shared(.engine(key, in: .world)) var count = 0
    let errors = observe {
      if let error = $count.saveError ?? $count.loadError { say(error) }
    }
    while readLine() != nil {
      $count.update { $0 += 1 }
      while $count.isSaving { Thread.sleep(forTimeInterval: 0.005) }
      say(line(count))
    }
    withExtendedLifetime(errors) {}
  }

  nonisolated private static func watch(_ store: any RevisionStore, _ key: String) {
    let subscription = store.watch { changes in
      for stored in (try? changes.get()) ?? [] { say("\(stored.revision)") }
    }
    while let line = readLine() {
      let entry = CommitEntry(key: KeyName(key), expected: Int64(line), bytes: Array("1".utf8))
      let commit = Commit(client: "me", after: 0, through: 1, entries: [entry])
      store.commit(commit, rebase: { _, _ in nil }) { answer in
        if case .conflict(let stored, _) = answer { say("conflict with \(stored[0].revision)") }
      }
    }
    subscription.cancel()
  }

  nonisolated private static func release(_ store: consuming any RevisionStore) {
    store.watch { _ in }.cancel()
    _ = readLine()
    _ = consume store
    while true { Thread.sleep(forTimeInterval: 1) }
  }

  nonisolated private static func storeBytes(in store: any RevisionStore) {
    let entry = CommitEntry(key: KeyName("public.bytes"), expected: 0, bytes: [0x61, 0xff])
    let commit = Commit(client: "me", after: 0, through: 1, entries: [entry])
    store.commit(commit, rebase: { _, _ in nil }) { answer in
      if case .failed(let error) = answer { say(error) } else { say("stored") }
    }
    while true { Thread.sleep(forTimeInterval: 1) }
  }

  nonisolated private static func say(_ error: any Error) {
    let reason = (error as? StorageError).map { "\($0.reason): " } ?? ""
    say("\(reason)\(error)")
  }

  nonisolated private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}
