import RandomSteps

/// Generates the steps of a ``Walk`` from a seed.
struct WalkChance {
  private var random: SplitMix64
  /// The list that most steps of a walk are about, so that changes interact.
  private var favourite = 0

  init(seed: Int) {
    random = SplitMix64(seed: UInt64(truncatingIfNeeded: seed))
  }

  /// Returns a number of steps, and more if one of them is a batch.
  mutating func steps(_ count: Int) -> [WalkStep] {
    var steps: [WalkStep] = []
    let first = random.below(3)
    favourite = [0, 0, 1, 1, 1, 2, 2, 3, 4, 5][random.below(10)]
    // Long lists have a different bookkeeping from short ones.
    for list in 0..<5 where random.below(3) <= first {
      steps.append(
        WalkStep(.fill, list, random.below(4) == 0 ? 90 + random.below(230) : random.below(6)))
    }
    for _ in 0..<5 { steps.append(aimed(WalkStep(.observe, random.below(64), random.below(1000)))) }
    for _ in 0..<count {
      if random.below(12) == 0 {
        addBatch(to: &steps)
      } else if random.below(12) == 0 {
        addTurnWithNews(to: &steps)
      } else {
        steps.append(aimed(any(Self.all)))
      }
      if random.below(2) == 0 { addSequel(to: &steps) }
    }
    return steps
  }

  /// Adds an access after another program's change, since only the first access is affected by it.
  private mutating func addSequel(to steps: inout [WalkStep]) {
    guard let last = steps.last else { return }
    switch last.action {
    case .other, .removed, .damaged:
      var step = any(Self.looks)
      step.a = [0, 1, 4][last.a % 3]
      steps.append(step)
    default: break
    }
  }

  private static let looks: [(WalkAction, weight: Int)] = [
    (.save, 5), (.load, 3), (.reset, 1), (.field, 3), (.at, 2), (.append, 3), (.remove, 2),
    (.whole, 2),
  ]

  private mutating func addBatch(to steps: inout [WalkStep]) {
    let list = random.below(3) == 0 ? random.below(6) : favourite
    let isLong = random.below(4) == 0
    steps.append(WalkStep(.begin))
    for _ in 0..<(isLong ? 20 + random.below(280) : 2 + random.below(4)) {
      let isOfList = random.below(20) > 0
      var step = any(isOfList ? (isLong ? Self.edits : Self.fewEdits) : Self.all)
      if isOfList { step.a = list }
      steps.append(step)
    }
    steps.append(WalkStep(.end))
  }

  /// Adds a turn during which another program changes a value; most of these turns leave the same
  /// bytes.
  private mutating func addTurnWithNews(to steps: inout [WalkStep]) {
    let item = random.below(3)
    let list = [0, 1, 4][item]
    steps.append(WalkStep(.begin))
    if random.below(4) > 0 { steps.append(WalkStep(.touch, list)) }
    if random.below(3) == 0 { steps.append(any(Self.all)) }
    let news: [WalkAction] = [.otherHeard, .otherHeard, .removed, .damaged]
    steps.append(WalkStep(news[random.below(4)], item, random.below(1000)))
    if random.below(3) == 0 { steps.append(any(Self.all)) }
    if random.below(4) == 0 { steps.append(WalkStep(.touch, list)) }
    steps.append(WalkStep(.end))
  }

  /// Returns the same step, in most cases for the favourite list.
  private mutating func aimed(_ step: WalkStep) -> WalkStep {
    var step = step
    guard random.below(3) > 0 else { return step }
    switch step.action {
    case .observe: step.b += min(favourite, 4) - step.b % 5
    case .other, .otherHeard, .removed, .damaged, .tell: step.a = min(favourite, 2)
    default: step.a = favourite
    }
    return step
  }

  private mutating func any(_ actions: [(WalkAction, weight: Int)]) -> WalkStep {
    WalkStep(random.weighted(actions), random.below(64), random.below(1000))
  }

  /// The actions of short batches, with weights.
  private static let fewEdits: [(WalkAction, weight: Int)] = [
    (.field, 10), (.at, 10), (.title, 5), (.append, 10), (.remove, 14), (.whole, 3), (.held, 5),
    (.fail, 2), (.other, 3), (.wait, 3), (.flush, 3), (.load, 2),
  ]

  /// The actions of long batches, with weights.
  private static let edits: [(WalkAction, weight: Int)] = [
    (.field, 30), (.at, 30), (.title, 10), (.element, 10), (.append, 20), (.remove, 1),
    (.whole, 1), (.reverse, 1), (.held, 3),
  ]

  private static let all: [(WalkAction, weight: Int)] = [
    (.field, 12), (.title, 8), (.at, 10), (.element, 6), (.append, 14), (.remove, 8), (.whole, 4),
    (.reverse, 3), (.empty, 1), (.fill, 1), (.renumber, 2), (.fail, 4),
    (.hold, 4), (.holdAt, 3), (.held, 8), (.release, 1),
    (.number, 4), (.name, 3), (.page, 2), (.extra, 3), (.noExtra, 2), (.inExtra, 3),
    (.begin, 4), (.end, 4),
    (.other, 8), (.otherHeard, 6), (.removed, 2), (.damaged, 4), (.tell, 4),
    (.full, 4), (.room, 5), (.stamps, 1),
    (.load, 6), (.save, 7), (.reset, 2), (.loadAll, 1),
    (.wait, 8), (.flush, 1), (.answer, 14), (.refuse, 3), (.outside, 2), (.yield, 2),
    (.point, 4), (.pointAnew, 1), (.pointByKey, 2),
    (.observe, 10), (.cancel, 3), (.status, 4),
  ]
}
