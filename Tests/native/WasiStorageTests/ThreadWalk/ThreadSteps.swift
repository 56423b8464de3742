import RandomSteps

/// The steps of one thread of a walk, determined by a seed. They have no text form and are not
/// shortened: the seed does not determine the order of the threads.
struct ThreadSteps {
  enum Step: Equatable {
    /// Adds one to a counter, to the counter that a shared wrapper points at, or to a row.
    case add(Int)
    case addByPointer
    case addToRow(Int)
    /// Adds one to each counter in one batch.
    case addToAll
    /// Adds a row of this thread, or removes it.
    case append(Int)
    case remove(Int)
    case load(Int)
    case loadRows
    case save(Int)
    case point(Int)
    case pointByKey
    /// Resets a value, or adds to a value that is reset.
    case reset
    case addToReset
    case observe(Int)
    case drop
    /// Sets a flag to its former value, so that the bytes repeat, and loads it.
    case flip(Int)
    case loadFlag(Int)
    /// Makes an empty change to a value that other programs change.
    case touch(Int)
    /// Stores a number under its key, like another program.
    case write(Int, Int)
    /// Advances the clock for debounced changes.
    case wait
  }

  let steps: [Step]

  /// The kinds of counters; see ``ThreadWorld``.
  static let counters = 6

  init(seed: UInt64, thread: Int) {
    var random = SplitMix64(seed: seed &* 0xD134_2543_DE82_EF95)  // distant seeds
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

  /// Selects a counter; the slow one in files less often.
  private static func counter(_ random: inout SplitMix64) -> Int {
    let counter = random.below(counters)
    return counter == 3 && random.below(4) > 0 ? 0 : counter
  }

  /// The sum that these steps add to a counter.
  func sum(of counter: Int) -> Int {
    steps.count { $0 == .add(counter) || $0 == .addToAll }
  }

  /// Its own rows that remain at the end.
  var rows: [Int] {
    var rows: [Int] = []
    for step in steps {
      if case .append(let id) = step { rows.append(id) }
      if case .remove(let id) = step { rows.removeAll { $0 == id } }
    }
    return rows
  }
}
