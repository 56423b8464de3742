import SharingCore
import WasiStorage

/// A behaviour that holds on every host: a rule of the design, a sentence, and a test.
package struct Case: Sendable {
  /// The rule, as `R13`.
  package let rule: String
  /// The behaviour as a sentence.
  package let name: String
  /// The capability that the host needs; nil if every host can run the case.
  package let needs: Capability?
  private let body: @Sendable (Trial) -> Void

  init(
    _ rule: String, needs: Capability? = nil, _ name: String,
    _ body: @escaping @Sendable (Trial) -> Void
  ) {
    self.rule = rule
    self.name = name
    self.needs = needs
    self.body = body
  }

  /// All cases.
  package static var all: [Case] {
    sharing + identity + defaults + loading + derivation + elements + inPlace + mutation
      + observation + publishers + manyObservers + readTrackers
      + persistence + saving + requiring + askedLoads + keeping + rivals + freshness + missedChanges
      + stamps
      + damage
      + damageOfEveryKind
      + faults
      + corners + memory
      + names + coding + tracking + trackingOfParts + trackingOfStores
      + keys + restlessKeys + lateAnswers + nothing + following + appStorage + reset + documents
      + versions
      + codec + location + changedElements + storedElements + elementsFromOutside + elementEdits
      + elementIdentity
      + debounce + fileStorage
      + boundary + exclusivity + readers + environments
      + updates + commits + commitReentry + commitWatching + commitLosses + mergedEnums + releases
      + replacedValues
      + checkedMerges + endedWrappers + loadsDuringChanges + committedNil
      + adoption + journals + recovery + storedTypes + storedCollections
      + uniqueIDs + localDates + committedElements
      + unknownMembers
      + engines
      + randomUse
  }

  /// Runs the case on a host, in an environment of its own.
  /// - Returns: The failures; empty if the behaviour holds or the host cannot run the case.
  package func run(on host: Host) -> [String] {
    if host.reasonToLeaveOut(self) != nil { return [] }
    let trial = Trial(on: host)
    trial.environment.run { body(trial) }
    trial.finish()
    return trial.failures
  }
}
