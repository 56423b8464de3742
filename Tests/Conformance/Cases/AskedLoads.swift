import SharingCore
import WasiStorage

/// The reasons for a load that a custom key receives.
let askedLoads: [Case] = [
  Case("R11", "a wrapper's first load and its subscription are handed the default") { trial in
    let calls = KeyCalls()
    @Shared(CalledKey(calls: calls)) var number = 5
    trial.expect(calls.all, equals: "load 5, subscribe 5")
    $number.load()
    trial.expect(calls.all, equals: "load 5, subscribe 5, load")
  },
  Case("R2", "a wrapper that is loaded with a key asks it once, by a person's wish") { trial in
    let calls = KeyCalls()
    @Shared(value: 1) var number
    $number.load(CalledKey(calls: calls))
    trial.expect(calls.all, equals: "load, subscribe")
    trial.expect(number, equals: 7)
    @SharedReader(value: 1) var reader
    let others = KeyCalls()
    $reader.load(CalledKey(calls: others))
    trial.expect(others.all, equals: "load, subscribe")
    $reader.load(CalledKey(calls: others))
    trial.expect(others.all, equals: "load, subscribe, load")
  },
  Case("R15", "a required value is asked for once, by a person's wish") { trial in
    let calls = KeyCalls()
    let found = KeyCalls.Found()
    Shared.require(CalledKey(calls: calls)) { found.shared = try? $0.get() }
    trial.expect(calls.all, equals: "load, subscribe")
    trial.expect(found.shared?.wrappedValue ?? 0, equals: 7)
    calls.subscriber?.yield(8)
    trial.expect(found.shared?.wrappedValue ?? 0, equals: 8)
  },
]

/// The calls of a key.
private final class KeyCalls: @unchecked Sendable {
  final class Found: @unchecked Sendable {
    var shared: Shared<Int>?
  }

  private var texts: [String] = []
  var subscriber: SharedSubscriber<Int>?

  /// All calls, separated by commas.
  var all: String { texts.joined(separator: ", ") }

  func add(_ name: String, _ context: LoadContext<Int>) {
    if let value = context.initialValue {
      texts.append("\(name) \(value)")
    } else {
      texts.append(name)
    }
  }
}

private struct CalledKey: SharedKey {
  let calls: KeyCalls

  var id: ObjectIdentifier { ObjectIdentifier(calls) }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    calls.add("load", context)
    continuation.resume(returning: 7)
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    calls.add("subscribe", context)
    calls.subscriber = subscriber
    return SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    continuation.resume()
  }
}
