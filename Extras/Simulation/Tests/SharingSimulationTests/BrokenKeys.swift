import SharingCore
import SharingSimulation
import WasiStorage

/// The defect of a ``BrokenKey``.
enum Defect: Sendable {
  /// It does not read the store before a mutation (rule R13).
  case forgetful
  /// It does not report failed writes (rule R16).
  case silent
  /// It does not notify of external changes (rule R14).
  case deaf
  /// It notifies of changes when there are none (rule R14).
  case noisy
  /// It answers each external change with a change of its own.
  case echoing
  /// It reports twice that a value is saved, first before the save.
  case hasty
}

/// A key for a number in the local store, with a defect.
struct BrokenKey: SharedKey {
  let base: LocalStorageKey<Int> = .localStorage("count")
  let defect: Defect
  private let echo = Echo()

  init(_ defect: Defect) {
    self.defect = defect
  }

  var id: KeyID { base.id }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    base.load(context: context, continuation: continuation)
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    let store = SharingEnvironment.current.stores.local
    return switch defect {
    case .deaf: SharedSubscription {}
    case .noisy: store.subscribe(to: KeyName("count")) { subscriber.yield(number(in: store)) }
    case .echoing: store.subscribe(to: KeyName("count")) { echo.answer(in: store) }
    case .forgetful:
      base.subscribe(
        context: context, subscriber: SharedSubscriber { subscriber.yield(with: $0) })
    case .silent, .hasty: base.subscribe(context: context, subscriber: subscriber)
    }
  }

  func refresh(_ subscriber: SharedSubscriber<Int>) {
    if defect != .forgetful { base.refresh(subscriber) }
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    if defect == .hasty { continuation.resume() }
    guard defect == .silent else {
      return base.save(value, context: context, continuation: continuation)
    }
    base.save(value, context: context, continuation: SaveContinuation { _ in })
    continuation.resume()
  }
}

/// Increments when another tab has incremented.
private final class Echo: @unchecked Sendable {
  private var isAnswering = false

  func answer(in store: any KeyValueStore) {
    guard !isAnswering else { return }
    isAnswering = true
    defer { isAnswering = false }
    try? store.set(Array("\(number(in: store) + 1)".utf8), for: KeyName("count"))
  }
}

private func number(in store: any KeyValueStore) -> Int {
  let bytes = (try? store.bytes(for: KeyName("count"))) ?? nil
  return bytes.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
}

/// A tab that appends a digit to a number, through a broken key.
protocol BrokenTab: SimulatedTab {
  static var defect: Defect { get }
  var count: Shared<Int> { get }
}

extension BrokenTab {
  var values: [SimulatedValue] { [SimulatedValue("count", count)] }

  static var actions: [SimulatedAction<Self>] {
    [SimulatedAction("add") { tab, number in tab.count.withLock { $0 = 10 * $0 + number % 9 + 1 } }]
  }

  static func makeCount() -> Shared<Int> {
    Shared(wrappedValue: 0, BrokenKey(defect))
  }
}

struct ForgetfulTab: BrokenTab {
  static let defect = Defect.forgetful
  let count = makeCount()
}

struct SilentTab: BrokenTab {
  static let defect = Defect.silent
  let count = makeCount()
}

struct DeafTab: BrokenTab {
  static let defect = Defect.deaf
  let count = makeCount()
}

struct NoisyTab: BrokenTab {
  static let defect = Defect.noisy
  let count = makeCount()
}

struct HastyTab: BrokenTab {
  static let defect = Defect.hasty
  let count = makeCount()
}

struct EchoingTab: BrokenTab {
  static let defect = Defect.echoing
  let count = makeCount()
}
