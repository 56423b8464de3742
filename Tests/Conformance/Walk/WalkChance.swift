/// Makes up the steps of a ``Walk``: always the same ones for a seed.
struct WalkChance {
  private var state: UInt64
  /// Most of a walk is about one list, or else too little of it would meet.
  private var favourite = 0

  init(seed: Int) {
    state = UInt64(truncatingIfNeeded: seed)
  }

  /// So many steps, and more where a batch is one of them.
  mutating func steps(_ count: Int) -> [WalkStep] {
    var steps: [WalkStep] = []
    let first = below(3)
    favourite = [0, 0, 1, 1, 1, 2, 2, 3, 4, 5][below(10)]
    // Long lists need another bookkeeping than short ones.
    for list in 0..<5 where below(3) <= first {
      steps.append(WalkStep(.fill, list, below(4) == 0 ? 90 + below(230) : below(6)))
    }
    for _ in 0..<5 { steps.append(aimed(WalkStep(.observe, below(64), below(1000)))) }
    for _ in 0..<count {
      if below(12) == 0 { addBatch(to: &steps) } else { steps.append(aimed(any(Self.all))) }
      if below(2) == 0 { addSequel(to: &steps) }
    }
    return steps
  }

  /// What another program has done is of interest to the first who looks.
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

  private static let looks: [(WalkAction, Int)] = [
    (.save, 5), (.load, 3), (.reset, 1), (.field, 3), (.at, 2), (.append, 3), (.remove, 2),
    (.whole, 2),
  ]

  private mutating func addBatch(to steps: inout [WalkStep]) {
    let list = below(3) == 0 ? below(6) : favourite
    let isLong = below(4) == 0
    steps.append(WalkStep(.begin))
    for _ in 0..<(isLong ? 20 + below(280) : 2 + below(4)) {
      let isOfList = below(20) > 0
      var step = any(isOfList ? (isLong ? Self.edits : Self.fewEdits) : Self.all)
      if isOfList { step.a = list }
      steps.append(step)
    }
    steps.append(WalkStep(.end))
  }

  /// The same step, more often than not of the favourite list.
  private mutating func aimed(_ step: WalkStep) -> WalkStep {
    var step = step
    guard below(3) > 0 else { return step }
    switch step.action {
    case .observe: step.b += min(favourite, 4) - step.b % 5
    case .other, .otherHeard, .removed, .damaged, .tell: step.a = min(favourite, 2)
    default: step.a = favourite
    }
    return step
  }

  private mutating func any(_ actions: [(WalkAction, Int)]) -> WalkStep {
    var number = below(actions.reduce(0) { $0 + $1.1 })
    for (action, weight) in actions {
      number -= weight
      if number < 0 { return WalkStep(action, below(64), below(1000)) }
    }
    return WalkStep(.end)
  }

  /// What short batches are made of, and how often.
  private static let fewEdits: [(WalkAction, Int)] = [
    (.field, 10), (.at, 10), (.title, 5), (.append, 10), (.remove, 14), (.whole, 3), (.held, 5),
    (.fail, 2), (.other, 3), (.wait, 3), (.flush, 3), (.load, 2),
  ]

  /// What long ones are made of.
  private static let edits: [(WalkAction, Int)] = [
    (.field, 30), (.at, 30), (.title, 10), (.element, 10), (.append, 20), (.remove, 1),
    (.whole, 1), (.reverse, 1), (.held, 3),
  ]

  private static let all: [(WalkAction, Int)] = [
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

  mutating func below(_ count: Int) -> Int {
    Int(next() % UInt64(count))
  }

  /// SplitMix64, by Sebastiano Vigna: https://prng.di.unimi.it/splitmix64.c
  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
