import SharingCore
import WasiStorage

// A program's commit state, for simulations to check. Only native programs are simulated.
#if !hasFeature(Embedded)
  /// The status of a program's changes under the keys of one store.
  package struct CommitProgress {
    /// The program's name in the store.
    package let client: UTF8Text
    /// The number of the current turn's steps.
    package let openStep: Int
    package let values: [Value]

    package struct Value {
      package let name: KeyName
      package let status: CommitStatus
    }
  }

  extension SharingEnvironment {
    /// Nil for a store that no key has used.
    package func commitProgress(in store: any RevisionStore) -> CommitProgress? {
      guard let committer = self[Committers.slot].committer(of: store) else { return nil }
      let (openStep, values) = committer.lock.withLock {
        (committer.openStep, (0..<committer.values.count).map { committer.values[$0] })
      }
      return CommitProgress(
        client: committer.client, openStep: openStep,
        values: values.map { CommitProgress.Value(name: $0.name, status: $0.status) })
    }
  }

  /// A program's journal, as it is stored.
  package struct WrittenJournal {
    private let steps: JournaledSteps

    /// Nil if the bytes are not a journal of the client.
    package init?(of client: UTF8Text, _ bytes: [UInt8]) {
      guard let steps = JournaledSteps(of: client, bytes) else { return nil }
      self.steps = steps
    }

    /// The numbers of the steps.
    package var numbers: [Int] { steps.steps.map { $0.number } }

    /// The entries for the steps after a number, made again on the stored value without closures.
    package func entries(onto stored: StoredRevision, after applied: Int) -> [CommitEntry] {
      steps.rebase(onto: [stored], after: applied, isAlone: true) ?? []
    }
  }
#endif
