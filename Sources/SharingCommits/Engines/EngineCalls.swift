import CHost
import SharingCore
import WasiStorage

/// The messages between the program and the engines that its page passed to `start`.
///
/// A message is a JSON array of strings, with `null` for a missing one. The program sends:
///
/// ```
/// ["load", ENGINE, CALL, CLIENT, KEY…]
/// ["commit", ENGINE, CALL, CLIENT, AFTER, THROUGH, KEY, EXPECTED, TEXT, …]
/// ["watch", ENGINE]
/// ["entries", ENGINE, KEY, EXPECTED, TEXT, …]     the answer to "rebase", before that returns
/// ```
/// and receives:
///
/// ```
/// ["loaded", CALL, APPLIED, KEY, REVISION, TEXT, …]
/// ["accepted", CALL, KEY, REVISION, …]                 stored, with the texts that were sent
/// ["found", CALL, APPLIED, KEY, REVISION, TEXT, …]     stored before; others may have changed it
/// ["rebase", CALL, APPLIED, KEY, REVISION, TEXT, …]
/// ["failed", CALL, CODE, MESSAGE]
/// ["changed", ENGINE, KEY, REVISION, TEXT, …]
/// ["interrupted", ENGINE, CODE, MESSAGE, KEY or null]     the key, or all keys, may be stale
/// ["status", ENGINE, "connected" or null, MESSAGE]
/// ```
final class EngineCalls: @unchecked Sendable {
  /// The handler of the export. Set with the first engine, so that a program without one does not
  /// link this class.
  nonisolated(unsafe) static var onMessage: (([UInt8]) -> Void)?

  /// Shared by all environments, like the page.
  static let ofPage: EngineCalls = {
    let calls = EngineCalls()
    onMessage = { calls.receive($0) }
    return calls
  }()

  private var calls: [Call] = []
  private var lastCall = 0
  private var watched: [WatchedEngine] = []

  private struct Call {
    let number: UTF8Text
    let engine: EngineName
    var answer: Answer
  }

  enum Answer {
    case load((Result<StoredSnapshot, StorageError>) -> Void)
    /// The entries of the commit are those that were sent, the last ones first.
    case commit(Commit, rebase: Rebase, (CommitAnswer) -> Void)
  }

  /// Whether the page has an engine with this name.
  static func isInPage(_ engine: EngineName) -> Bool {
    let name = engine.text.bytes
    return sharing_engine_find(name, name.byteCount32) > 0
  }

  /// Sends a call. Its answer comes once; it is a failure if the call cannot be sent.
  func call(_ verb: UTF8Text, _ engine: EngineName, _ words: [UTF8Text?], _ answer: Answer) {
    let number: UTF8Text = "\(lastCall + 1)"
    let call = Call(number: number, engine: engine, answer: answer)
    guard send([verb, engine.text, number] + words) else {
      let message: UTF8Text =
        Self.isInPage(engine)
        ? "The page rejects the call; a key or text may not be UTF-8."
        : "The page has no engine of this name. Pass it to start(…, { engines: { … } })."
      return self.answer(call, ["failed", number, nil, message])
    }
    // Only a page, with its single thread, gets here. Elsewhere any thread may make the call.
    lastCall += 1
    calls.append(call)
  }

  /// Returns the watched engine with a name. The first call begins to follow it.
  func watch(_ name: EngineName) -> WatchedEngine {
    for engine in watched where engine.name == name { return engine }
    let engine = WatchedEngine(name)
    watched.append(engine)
    _ = send(["watch", name.text])
    return engine
  }

  private func send(_ words: [UTF8Text?]) -> Bool {
    let bytes = (try? JSON.encode(words)) ?? []
    return sharing_engine_send(bytes, bytes.byteCount32) > 0
  }

  // MARK: Messages from the page

  private func receive(_ bytes: [UInt8]) {
    guard let words = try? JSON.decode([UTF8Text?].self, from: bytes), words.count > 1 else {
      return
    }
    for engine in watched where engine.name.text == words[1] {
      if words[0] == "changed" { return engine.feed.publish(.success(words.revisions(from: 2))) }
      if words[0] == "interrupted" {
        return engine.feed.publish(.failure(words.failure(of: engine.name, .changes)))
      }
      if words[0] == "status", words.count > 3 {
        let status = EngineStatus(isConnected: words[2] != nil, message: words[3] ?? "")
        return engine.$status.withLock { $0 = status }
      }
    }
    guard let index = calls.firstIndex(where: { $0.number == words[1] }) else { return }
    if words[0] == "rebase", case .commit(let commit, let rebase, let done) = calls[index].answer {
      let (stored, applied) = (words.revisions(from: 3), words[2]?.number ?? 0)
      guard let entries = rebase(stored, applied) else {
        calls.remove(at: index)  // the failure that follows is ignored
        return done(.conflict(stored, applied: applied))
      }
      let sent = commit.with(entries + commit.entries)
      calls[index].answer = .commit(sent, rebase: rebase, done)
      _ = send(["entries", calls[index].engine.text] + entries.words)
    } else {
      answer(calls.remove(at: index), words)
    }
  }

  private func answer(_ call: Call, _ words: [UTF8Text?]) {
    switch call.answer {
    case .load(let done):
      if words[0] == "loaded" {
        done(.success(StoredSnapshot(words.revisions(from: 3), applied: words[2]?.number)))
      } else {
        done(.failure(words.failure(of: call.engine)))
      }
    case .commit(let commit, _, let done):
      if words[0] == "accepted" {
        done(.accepted(words.revisions(of: commit.entries), applied: commit.through))
      } else if words[0] == "found" {
        done(.accepted(words.revisions(from: 3), applied: words[2]?.number ?? 0))
      } else {
        done(.failed(words.failure(of: call.engine)))
      }
    }
  }
}

/// An engine of the page that the program follows.
final class WatchedEngine: @unchecked Sendable {
  let name: EngineName
  let feed = RevisionFeed()
  /// The last reported status. A read of it is observed.
  @Shared(value: EngineStatus(isConnected: true, message: "")) var status

  init(_ name: EngineName) {
    self.name = name
  }
}

/// An engine of the page has sent the message in the inbox.
@_expose(wasm, "sharing_engine_event")
@c(sharing_engine_event)
package func engineEvent(_ byteCount: Int32) {
  EngineCalls.onMessage?(Inbox.bytes(byteCount))
}
