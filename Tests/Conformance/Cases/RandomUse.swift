import SharingCore
import WasiStorage

extension Case {
  /// Walks that are the same on every host; see ``Walk``.
  static let randomUse: [Case] = (1...12).map { seed in
    Case("R13", "random use agrees with a model after every step, from seed \(seed)") { trial in
      let problem = Walks.run(seed: seed, on: trial.host)
      trial.expect(problem == nil, problem ?? "")
    }
  }
}
