import Foundation
import Observation
import NativeTesting
import RandomSteps
import SharingCore
import Testing

/// Several threads perform random actions on a few values. SHARING_TIMES multiplies the duration.
@Suite struct StressTests {
  @Test(arguments: [UInt64(1), 2, 3])
  func noChangeIsMissedWhateverThreadsDo(seed: UInt64) {
    for round in 0..<UInt64(3 * times) {
      let world = World()
      onThreads(4) { number in
        var thread = WorldThread(world, seed: seed << 40 | round << 8 | UInt64(number))
        for _ in 1...300 { thread.act() }
      }
      world.check()
    }
  }
}

private struct Model: Sendable, Equatable {
  var number = 0
  var name = "a name that is too long to be kept in place"
  var rows = (0..<3).map { Row(id: $0) }
  var optional: Row?
}

private struct Row: Identifiable, Sendable, Equatable {
  var id: Int
  var number = 0
  var title = "a title that is too long to be kept in place"
}

/// The shared state of the threads.
private final class World: Sendable {
  let models = (0..<4).map { _ in Shared(value: Model()) }
  let readers: [SharedReader<Model>]
  let parities: [SharedReader<Bool>]
  let rows: [SharedReader<Row>]
  /// The last values that the permanent observers have read.
  private let seen = (0..<4).map { _ in Shared(value: Seen()) }
  private let staying: [ObservationToken]
  /// Tokens that any thread may cancel.
  let tokens = Guarded<[ObservationToken]>([])

  private struct Seen: Sendable {
    var number = 0
    var followed = 0
    var row = 0
  }

  init() {
    readers = models.map { $0.reader }
    parities = models.map { $0.read { $0.number % 2 == 0 } }
    rows = models.map { $0.read { $0.rows }[id: 1]! }
    var tokens: [ObservationToken] = []
    for ((model, reader), seen) in zip(zip(models, readers), seen) {
      tokens.append(
        observe {
          let number = model.wrappedValue.number
          seen.number.withLock { $0 = number }
        })
      tokens.append(
        observe {
          let number = reader.number.wrappedValue
          seen.followed.withLock { $0 = number }
        })
      tokens.append(
        observe {
          let number = model.rows[id: 1]?.number.wrappedValue ?? -1
          seen.row.withLock { $0 = number }
        })
    }
    staying = tokens
  }

  /// Checks, after all work, that each observer has read the last values.
  func check() {
    for (index, model) in models.enumerated() {
      let value = model.wrappedValue
      #expect(seen[index].number.wrappedValue == value.number)
      #expect(seen[index].followed.wrappedValue == readers[index].wrappedValue.number)
      #expect(seen[index].row.wrappedValue == value.rows.first { $0.id == 1 }?.number ?? -1)
    }
    tokens.withLock { $0 = [] }
    for token in staying { token.cancel() }
  }
}

/// The actions of one thread.
private struct WorldThread {
  private let world: World
  private var random: SplitMix64
  private var tokens: [ObservationToken] = []

  init(_ world: World, seed: UInt64) {
    self.world = world
    random = SplitMix64(seed: seed)
  }

  mutating func act() {
    let index = random.below(4)
    let model = world.models[index]
    switch random.below(16) {
    case 0, 1: _ = model.wrappedValue.name.count + world.readers[index].wrappedValue.number
    case 2, 3: model.number.withLock { $0 += 1 }
    case 4:
      model.withLock {
        $0.number += 1; $0.name += "."
      }
    case 5: model.rows[id: random.below(4)]?.number.withLock { $0 += 1 }
    case 6: changeRows(of: model)
    case 7: batch { for model in world.models { model.number.withLock { $0 += 1 } } }
    case 8, 9: keep(observer(of: model))
    case 10: cancel()
    case 11: point(model)
    case 12: useDerived(index)
    case 13: useKeys()
    case 14: track(model)
    default: useOptional(of: model)
    }
  }

  private mutating func changeRows(of model: Shared<Model>) {
    let id = random.below(3)
    model.withLock { model in
      if let found = model.rows.firstIndex(where: { $0.id == id }) {
        model.rows.remove(at: found)
      } else {
        model.rows.insert(Row(id: id), at: 0)
      }
    }
  }

  /// Returns an observer of a random kind; most kinds vary their reads.
  private mutating func observer(of model: Shared<Model>) -> ObservationToken {
    let other = world.models[random.below(4)]
    let parity = world.parities[random.below(4)]
    switch random.below(5) {
    case 0: return observe { _ = model.number.wrappedValue }
    case 1:
      return observe {
        if model.wrappedValue.number % 2 == 0 { _ = other.rows.wrappedValue }
        _ = model.rows[id: 2]?.title.wrappedValue
      }
    case 2: return observe { _ = parity.wrappedValue ? other.name.wrappedValue : "" }
    case 3: return model.reader.publisher.sink { _ = $0.rows.count }
    default:
      // Cancels itself, and creates another one.
      let kept = Guarded<[ObservationToken]>([])
      return observe {
        guard model.number.wrappedValue % 3 == 0 else { return }
        let inner = observe { _ = other.number.wrappedValue }
        let old = kept.withLock { tokens in
          defer { tokens = [inner] }
          return tokens
        }
        for token in old { token.cancel() }
      }
    }
  }

  private mutating func keep(_ token: ObservationToken) {
    if random.below(2) == 0 {
      tokens.append(token)
    } else {
      world.tokens.withLock { $0.append(token) }
    }
  }

  private mutating func cancel() {
    if !tokens.isEmpty { tokens.remove(at: random.below(tokens.count)).cancel() }
    let any = random.next()
    let token = world.tokens.withLock { tokens in
      tokens.isEmpty ? nil : tokens.remove(at: Int(any % UInt64(tokens.count)))
    }
    if any % 2 == 0 { token?.cancel() }
  }

  private mutating func point(_ model: Shared<Model>) {
    switch random.below(4) {
    case 0: model.projectedValue = world.models[random.below(4)]
    case 1: world.readers[random.below(4)].projectedValue = SharedReader(model)
    default: model.projectedValue = Shared(value: Model(number: random.below(1000)))
    }
  }

  private mutating func useDerived(_ index: Int) {
    _ = world.parities[index].wrappedValue
    _ = world.rows[index].title.wrappedValue.count
    let row = world.models[index].rows[id: random.below(3)]
    _ = row?.reader.title.wrappedValue
    row?.title.withLock { $0 = "a title" }
  }

  private mutating func useKeys() {
    let name = random.below(3)
    @Shared(FleetingKey(id: name)) var count = 0
    $count.withLock { $0 += 1 }
    let token = observe { _ = count }
    $count.withLock { $0 += 1 }
    if random.below(2) == 0 { token.cancel() } else { tokens.append(token) }
  }

  private func track(_ model: Shared<Model>) {
    withObservationTracking {
      _ = model.wrappedValue.number + model.rows.count
    } onChange: {
    }
  }

  private mutating func useOptional(of model: Shared<Model>) {
    let row = Shared(model.optional)
    row?.number.withLock { $0 += 1 }
    let isNil = random.below(2) == 0
    model.optional.withLock { $0 = isNil ? nil : Row(id: 9) }
    _ = row?.wrappedValue.title.count
  }
}

/// A key whose value is released with its last reference.
private struct FleetingKey: SharedKey {
  let id: Int

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    continuation.resumeReturningInitialValue()
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    continuation.resume()
  }
}
