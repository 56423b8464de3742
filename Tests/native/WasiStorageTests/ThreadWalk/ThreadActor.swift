import SharingCore
import WasiStorage

/// The actions of one thread of a walk.
final class ThreadActor: @unchecked Sendable {
  private let world: ThreadWorld
  private let walk: ThreadSteps
  private var tokens: [ObservationToken] = []

  init(_ world: ThreadWorld, _ walk: ThreadSteps) {
    (self.world, self.walk) = (world, walk)
  }

  func run() {
    world.environment.run {
      for step in walk.steps { perform(step) }
    }
    tokens = []
  }

  private func perform(_ step: ThreadSteps.Step) {
    switch step {
    case .add(let counter): world.counters[counter].withLock { $0 += 1 }
    case .addByPointer: world.pointer.withLock { $0 += 1 }
    case .addToRow(let id): world.rows[id: id]?.number.withLock { $0 += 1 }
    case .addToAll: batch { for counter in world.counters { counter.withLock { $0 += 1 } } }
    case .append(let id): world.rows.append(ThreadRow(id: id))
    case .remove(let id): world.rows.remove(id: id)
    case .load(let counter): world.counters[counter].load()
    case .loadRows: world.rows.load()
    case .save(let counter): world.counters[counter].save()
    case .point(let counter): world.pointer.projectedValue = world.counters[counter]
    case .pointByKey: world.pointer.load(.localStorage("b"))
    case .reset: world.resettable.reset()
    case .addToReset: world.resettable.withLock { $0 += 1 }
    case .observe(let counter): observe(world.counters[counter])
    case .drop: if !tokens.isEmpty { tokens.removeFirst() }
    case .flip(let flag): world.flags[flag].withLock { $0.toggle() }
    case .loadFlag(let flag): world.flags[flag].load()
    case .touch(let number): world.told[number].withLock { _ in }
    case .write(let number, let text): world.write("\(text)", number)
    case .wait: world.clock.advance(by: 2)
    }
  }

  private func observe(_ counter: Shared<Int>) {
    let pointer = world.pointer
    tokens.append(
      SharingCore.observe {
        _ = counter.wrappedValue + (counter.isLoading ? pointer.wrappedValue : 0)
      })
  }
}
