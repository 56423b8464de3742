import SharingCommits
import SharingCore
import WasiStorage

// The store's answers and notifications.
extension SimulatedDatabase {
  func commit(
    _ commit: Commit, of connection: SimulatedConnection, _ rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    commits += 1
    if case .committing(let arrives) = connection.death {
      connection.isRunning = false
      if !arrives { return }
    }
    if !connection.begin(commit.client) { onProblem("two commits are under way at once") }
    var isAnswered = false
    let answer = { [self] (answer: CommitAnswer) in
      if isAnswered { return }  // the request had failed, and has arrived all the same
      isAnswered = true
      messages.send(.answer, to: connection) {
        connection.finish(commit, answer)
        done(answer)
      }
    }
    if connection.isAway { return answer(.failed(failure("The page is left."))) }
    if case .late = accident {
      accident = .none
      answer(.failed(failure("It takes too long.")))
      return arrive(commit, of: connection, rebase) { _ in }
    }
    let isAnswerLost = connection.losesNextAnswer
    connection.losesNextAnswer = false
    arrive(commit, of: connection, rebase) { [self] in
      answer(isAnswerLost ? .failed(failure("The answer is lost.")) : $0)
    }
  }

  /// Sends a commit to the store. It arrives later, even if the program has ended by then.
  private func arrive(
    _ commit: Commit, of connection: SimulatedConnection, _ rebase: @escaping Rebase,
    _ done: @escaping (CommitAnswer) -> Void
  ) {
    messages.ask(by: connection, isCommit: true) { [self] in
      var answer: CommitAnswer
      if let error = obstacle(to: connection) ?? denial(of: commit) ?? lackOfRoom(for: commit) {
        answer = .failed(error)
      } else {
        answer = self.answer(to: commit, of: connection, rebase)
        onCommit()
      }
      if case .lost = accident { answer = .failed(failure("The answer is lost.")) }
      accident = .none
      done(answer)
    } orFail: { [self] in
      done(.failed(failure("The connection is closed.")))
    }
  }

  private func answer(
    to commit: Commit, of connection: SimulatedConnection, _ rebase: Rebase
  ) -> CommitAnswer {
    let answer = stored(commit, of: connection)
    guard rebases, connection.isRunning, case .conflict(let stored, let applied) = answer,
      let entries = rebase(stored, applied)
    else { return answer }
    let next = Commit(
      client: commit.client, after: applied, through: commit.through, entries: entries)
    return self.answer(to: next, of: connection, rebase)
  }

  private func stored(_ commit: Commit, of sender: SimulatedConnection) -> CommitAnswer {
    let keys = commit.entries.map { $0.key }
    let new =
      store.has(commit)
      ? nil
      : SimulatedCommit(
        commit: commit, before: keys.map { store.stored($0) },
        after: store.lastStep(of: commit) ?? commit.after, sender: sender)
    let answer = store.answer(to: commit)
    var isNew = false
    if let new, case .accepted = answer {
      isNew = true
      onStored(new)
    }
    // A store with steps in each record may notify of each record separately, as NATS does.
    let parts = store.keepsStepsInRecords ? keys.map { [$0] } : [keys]
    for connection in connections where !connection.isAway {
      if notifiesOthersOnly, connection === sender || !isNew { continue }
      for _ in 0..<(repeatsNotifications ? 2 : 1) {
        for keys in parts { notify(connection, keys) }
      }
    }
    return answer
  }

  /// Notifies a program of the stored values. The notification is dropped if the store is cleared
  /// before it arrives: in reality it arrives within milliseconds, before anybody clears the store.
  package func notify(_ connection: SimulatedConnection, _ keys: [KeyName]) {
    guard let onChange = connection.onChange else { return }
    let (changes, past) = (keys.map { store.stored($0) }, store.past)
    messages.send(.notification, to: connection) { [self] in
      guard store.past == past else { return }
      connection.markReceived(keys)
      onChange(.success(changes))
    }
  }

  func load(
    _ keys: [KeyName], _ client: UTF8Text, of connection: SimulatedConnection,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    let answer = { [self] (answer: Result<StoredSnapshot, StorageError>) in
      messages.send(.answer, to: connection) {
        connection.receiveLoad(keys, answer) { done(answer) }
      }
    }
    messages.ask(by: connection) { [self] in
      let error = obstacle(to: connection)
      answer(error.map { .failure($0) } ?? .success(store.snapshot(keys, client)))
    } orFail: { [self] in
      answer(.failure(failure("The connection is closed.")))
    }
  }

  // MARK: Failures

  /// The reason why a program cannot reach the store; nil if it can.
  func obstacle(to connection: SimulatedConnection) -> StorageError? {
    if isOffline { return failure("The store is away.") }
    return connection.version < version ? failure("The store is of a newer program.") : nil
  }

  private func denial(of commit: Commit) -> StorageError? {
    guard let deniedKey, commit.entries.contains(where: { $0.key == deniedKey }) else { return nil }
    return StorageError(.denied, key: deniedKey, "as the case wants it")
  }

  /// Returns an error if the store has no room. A commit that is already stored needs none.
  private func lackOfRoom(for commit: Commit) -> StorageError? {
    let isTooLarge = commit.entries.contains { $0.bytes?.count ?? 0 > sizeLimit ?? .max }
    guard isFull || isTooLarge, !store.has(commit) else { return nil }
    return StorageError(.quotaExceeded, key: nil, "as the schedule wants it")
  }

  private func failure(_ message: StaticString) -> StorageError {
    StorageError(.other, key: nil, UTF8Text(stringLiteral: message))
  }
}
