import SharingCore
import WasiStorage

// What the store of some programs answers, and tells.
extension Programs {
  func commit(
    _ commit: Commit, of program: Program, _ rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    commits += 1
    if case .committing(let arrives) = program.death {
      program.isRunning = false
      if !arrives { return }
    }
    if !program.begin(commit.client) { onProblem("two commits are under way at once") }
    let answer = { [self] (answer: CommitAnswer) in
      messages.send(to: program) {
        program.finish(commit, answer)
        done(answer)
      }
    }
    if program.isAway { return answer(.failed(failure("The page is left."))) }
    if case .late = accident {
      accident = .none
      answer(.failed(failure("It takes too long.")))
      return arrive(commit, of: program, rebase) { _ in }
    }
    arrive(commit, of: program, rebase, answer)
  }

  /// The commit arrives later, whether the program still runs then or not.
  private func arrive(
    _ commit: Commit, of program: Program, _ rebase: @escaping Rebase,
    _ done: @escaping (CommitAnswer) -> Void
  ) {
    messages.ask(by: program) { [self] in
      var answer: CommitAnswer
      if let error = obstacle(to: program) ?? denial(of: commit) ?? lackOfRoom(for: commit) {
        answer = .failed(error)
      } else {
        answer = self.answer(to: commit, of: program, rebase)
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
    to commit: Commit, of program: Program, _ rebase: Rebase
  ) -> CommitAnswer {
    let answer = stored(commit)
    guard rebases, program.isRunning, case .conflict(let stored, let applied) = answer else {
      return answer
    }
    guard let entries = rebase(stored, applied) else { return answer }
    return self.stored(
      Commit(client: commit.client, after: applied, through: commit.through, entries: entries))
  }

  private func stored(_ commit: Commit) -> CommitAnswer {
    let answer = store.answer(to: commit)
    let keys = commit.entries.map { $0.key }
    for program in programs where !program.isAway {
      for _ in 0..<(repeatsNews ? 2 : 1) { tell(program, keys) }
    }
    return answer
  }

  /// Tells a program of what is stored now, unless the store is cleared before it hears that:
  /// nobody clears it within the milliseconds that news takes.
  func tell(_ program: Program, _ keys: [KeyName]) {
    guard let onNews = program.onNews else { return }
    let (news, past) = (keys.map { store.stored($0) }, store.past)
    messages.send(to: program) { [self] in if store.past == past { onNews(.success(news)) } }
  }

  func load(
    _ keys: [KeyName], _ client: UTF8Text, of program: Program,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    let answer = { [self] (answer: Result<StoredSnapshot, StorageError>) in
      messages.send(to: program) {
        if case .success = answer { program.failure = nil }
        program.isHearingLoad = true
        done(answer)
        program.isHearingLoad = false
      }
    }
    messages.ask(by: program) { [self] in
      let error = obstacle(to: program)
      answer(error.map { .failure($0) } ?? .success(store.snapshot(keys, client)))
    } orFail: { [self] in
      answer(.failure(failure("The connection is closed.")))
    }
  }

  // MARK: Failures

  /// Why a program cannot reach the store; nil where it can.
  func obstacle(to program: Program) -> StorageError? {
    if isOffline { return failure("The store is away.") }
    return program.version < version ? failure("The store is of a newer program.") : nil
  }

  private func denial(of commit: Commit) -> StorageError? {
    guard let deniedKey, commit.entries.contains(where: { $0.key == deniedKey }) else { return nil }
    return StorageError(.denied, key: deniedKey, "as the case wants it")
  }

  /// What has been stored before needs no room.
  private func lackOfRoom(for commit: Commit) -> StorageError? {
    guard isFull, !store.has(commit) else { return nil }
    return StorageError(.quotaExceeded, key: nil, "as the schedule wants it")
  }

  private func failure(_ message: StaticString) -> StorageError {
    StorageError(.other, key: nil, UTF8Text(stringLiteral: message))
  }
}
