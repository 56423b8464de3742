import RandomSteps

/// What one thread does in a walk: always the same for a seed. Nobody writes these steps down or
/// shortens them: in which order threads take them, no seed says.
struct ThreadSteps {
  enum Step: Equatable {
    /// Adds one to a counter, to the one that a shared wrapper points at, or to a row.
    case add(Int)
    case addByPointer
    case addToRow(Int)
    /// Adds one to each counter, in one batch.
    case addToAll
    /// Adds a row of this thread's, or takes it away again.
    case append(Int)
    case remove(Int)
    case load(Int)
    case loadRows
    case save(Int)
    case point(Int)
    case pointByKey
    /// Goes back to the default, or adds to what does so.
    case reset
    case addToReset
    case observe(Int)
    case drop
    /// Changes a flag to what it was before, so that the same bytes come again, and loads it.
    case flip(Int)
    case loadFlag(Int)
    /// Changes nothing in a value that other programs change.
    case touch(Int)
    /// Stores a number under its key, as another program does.
    case write(Int, Int)
    /// Lets time pass for what has to rest before it is written.
    case wait
  }

  let steps: [Step]

  /// The kinds of counters; see ``ThreadWorld``.
  static let counters = 6

  init(seed: UInt64, thread: Int) {
    var random = SplitMix64(seed: seed &* 0xD134_2543_DE82_EF95)  // seeds that are far apart
    var steps: [Step] = []
    var own: [Int] = []
    for number in 0..<220 {
      switch random.below(52) {
      case 0..<14: steps.append(.add(Self.counter(&random)))
      case 14..<17: steps.append(.addByPointer)
      case 17..<21: steps.append(.addToRow(random.below(3)))
      case 21: steps.append(.addToAll)
      case 22, 23:
        own.append(100 * (thread + 1) + number * 1000)
        steps.append(.append(own.last!))
      case 24 where !own.isEmpty: steps.append(.remove(own.remove(at: random.below(own.count))))
      case 25..<29: steps.append(.load(Self.counter(&random)))
      case 29: steps.append(.loadRows)
      case 30: steps.append(.save(Self.counter(&random)))
      case 31: steps.append(.point(random.below(2)))
      case 32: steps.append(.pointByKey)
      case 33: steps.append(.reset)
      case 34: steps.append(.addToReset)
      case 35, 36: steps.append(.observe(Self.counter(&random)))
      case 37: steps.append(.drop)
      case 38, 39: steps.append(.flip(random.below(2)))
      case 40, 41: steps.append(.loadFlag(random.below(2)))
      case 44..<50: steps.append(.touch(random.below(2)))
      case 50: steps.append(.write(random.below(2), 1000 * thread + number))
      default: steps.append(.wait)
      }
    }
    self.steps = steps
  }

  /// A counter; the one in files, which takes long, less often.
  private static func counter(_ random: inout SplitMix64) -> Int {
    let counter = random.below(counters)
    return counter == 3 && random.below(4) > 0 ? 0 : counter
  }

  /// How much these steps add to a counter.
  func sum(of counter: Int) -> Int {
    steps.count { $0 == .add(counter) || $0 == .addToAll }
  }

  /// The rows of its own that are left in the end.
  var rows: [Int] {
    var rows: [Int] = []
    for step in steps {
      if case .append(let id) = step { rows.append(id) }
      if case .remove(let id) = step { rows.removeAll { $0 == id } }
    }
    return rows
  }
}
