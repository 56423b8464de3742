import SharingCore
import WasiStorage

// Simulated programs: the stores of their keys, and the state of their commits, which simulations
// check. Only native programs are simulated.
#if hasFeature(Embedded)
  /// No replacements.
  enum SimulatedStores {
    @inline(__always)
    static func replacement(for store: any RevisionStore) -> any RevisionStore { store }

    @inline(__always)
    static var currentJournals: (any ListedStore)? { nil }
  }
#else
  /// The stores that the keys of a simulated program use in place of all revision stores.
  package final class SimulatedStores: @unchecked Sendable {

    /// Returns the store to use in place of a revision store.
    package var replacement: (any RevisionStore) -> any RevisionStore = { $0 }
    /// The store of journals, also for engines.
    package var journals: (any ListedStore)?

    static func replacement(for store: any RevisionStore) -> any RevisionStore {
      SharingEnvironment.current.simulatedStores.replacement(store)
    }

    static var currentJournals: (any ListedStore)? {
      SharingEnvironment.current.simulatedStores.journals
    }
  }

  extension SharingEnvironment {
    package var simulatedStores: SimulatedStores { object { SimulatedStores() } }
  }

  /// The status of a program's changes under the keys of one store.
  package struct CommitProgress {
    /// The program's name in the store.
    package let client: UTF8Text
    /// The number of the next steps that are complete.
    package let openStep: Int
    package let values: [Value]

    package struct Value {
      package let name: KeyName
      package let status: CommitStatus
      package let coding: AnyStorageCoding
      /// The numbers of its complete steps that are not stored.
      package let steps: [Int]
      /// The numbers of those that wait for another release.
      package let waiting: [Int]
    }
  }

  extension SharingEnvironment {
    /// Nil for a store that no key has used.
    package func commitProgress(in store: any RevisionStore) -> CommitProgress? {
      guard let committer = committers.committer(of: store) else { return nil }
      let (openStep, values) = committer.lock.withLock {
        (committer.openStep, (0..<committer.values.count).map { committer.values[$0] })
      }
      return CommitProgress(
        client: committer.client, openStep: openStep,
        values: values.map {
          CommitProgress.Value(
            name: $0.name, status: $0.status, coding: $0.coding, steps: $0.stepNumbers,
            waiting: $0.waitingNumbers)
        })
    }
  }

  extension CommittedValue {
    fileprivate var stepNumbers: [Int] {
      let pending = committer.lock.withLock { steps }
      return pending.filter { $0.isComplete }.map { $0.number }
    }

    fileprivate var waitingNumbers: [Int] {
      let journals = committer.lock.withLock {
        committer.waitingJournals.compactMap { committer.recovery.journal(of: $0.client) }
      }
      return journals.flatMap { $0.steps }.filter { $0.key == name }.map { $0.number }
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

    package var client: UTF8Text { steps.client }

    /// Whether the steps wait for another release.
    package var waits: Bool { steps.waits }

    /// The number of the last step.
    package var lastStep: Int { steps.lastStep }

    /// Whether it has the step of a key with this number.
    package func has(_ number: Int, of key: KeyName) -> Bool {
      steps.steps.contains { $0.number == number && $0.key == key }
    }

    /// The entries for the steps after a number, made again on the stored value without closures.
    /// - Parameter coding: The coding of the value in the program that makes them.
    package func entries(
      onto stored: StoredRevision, after applied: Int, _ coding: AnyStorageCoding?
    ) -> [CommitEntry] {
      let rebased = steps.rebase(onto: [stored], after: applied, isAlone: true) { key in
        coding.map { EncodedValue(key, $0) }
      }
      if case .entries(let entries) = rebased { return entries }
      return []
    }
  }
#endif
