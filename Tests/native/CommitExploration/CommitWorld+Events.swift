import RandomSteps
import SimulatedRevisions

// The possible events of a world.
extension CommitWorld {
  var possibleEvents: [ExploredStep] {
    var steps: [ExploredStep] = []
    // The browser's events have the number of the first program.
    if programs.journals.capacity != nil {
      steps += possible(.room, 0)
    } else if fullCount < setting.fullLimit {
      steps += possible(.full, 0)
    }
    if damageCount < setting.damageLimit { steps += possible(.damage, 0) }
    for number in setting.releases.indices {
      if let run = running[number] {
        steps += turns(of: number)
        if run.program.clock.isWaiting { steps += possible(.wait, number) }
        steps += messages(to: number)
        if killCount < setting.killLimit {
          steps += possible(.kill, number)
          // The journals count the writes of the first program.
          if number == 0 { steps += possible(.doom, number, 3) }
        }
      } else {
        steps += possible(.start, number)
      }
      steps += requests(of: number)
    }
    return steps
  }

  /// Returns the steps of an event, one for each message; none if the setting does not have it.
  private func possible(_ event: CommitEvent, _ number: Int, _ count: Int = 1) -> [ExploredStep] {
    setting.events.contains(event) ? (0..<count).map { Step(event, number, $0) } : []
  }

  private func turns(of number: Int) -> [ExploredStep] {
    var steps: [ExploredStep] = []
    if changeCounts.reduce(0, +) < setting.changeLimit {
      for change in setting.changes { steps.append(Step(change, number)) }
    }
    if running[number]!.open != nil {
      steps += possible(.finish, number)
    } else if changeCounts.reduce(0, +) < setting.changeLimit {
      steps += possible(.begin, number)
    }
    return loadCount < setting.loadLimit ? steps + possible(.load, number) : steps
  }

  private func messages(to number: Int) -> [ExploredStep] {
    let count = min(2, messages.count(.notification, of: number))
    let steps =
      possible(.answer, number, min(2, messages.count(.answer, of: number)))
      + possible(.notice, number, count)
    if count == 0 || faultCount == setting.faultLimit { return steps }
    return steps + possible(.again, number) + possible(.miss, number)
  }

  private func requests(of number: Int) -> [ExploredStep] {
    var steps: [ExploredStep] = []
    for index in 0..<min(2, messages.count(.question, of: number)) {
      let isAwaited = messages.isAwaited(of: number, number: index)
      var events: [CommitEvent] = isAwaited ? [.arrive, .deliver] : [.deliver]
      if isAwaited, faultCount < setting.faultLimit {
        events +=
          messages.isCommit(of: number, number: index) ? [.refuse, .lose, .late] : [.refuse]
      }
      for event in events where setting.events.contains(event) {
        steps.append(Step(event, number, index))
      }
    }
    return steps
  }
}
