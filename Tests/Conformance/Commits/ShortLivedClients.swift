import RandomSteps
import SharingCore
import SharingTestDoubles
import SimulatedPrograms
import SimulatedRevisions
import WasiStorage

/// A store keeps the last steps of a limited number of clients. Here, others come and go while one
/// client has lost an answer and commits the same step again. If they are fewer than the limit, the
/// step counts once. Otherwise the store has forgotten the waiting client: its step counts twice,
/// and nothing is lost.
enum ShortLivedClients {
  /// The seed determines the limit and the number of other clients.
  /// - Returns: The failure; nil if there is none.
  static func run(seed: Int) -> String? {
    var random = SplitMix64(seed: UInt64(seed))
    let limit = 2 + random.below(12)
    let programs = Programs(2)
    programs.database.store.clientLimit = limit
    defer { programs.end() }
    let count = programs[0].count()
    programs.deliverAll()
    var (total, repeated) = (0, 0)
    for round in 1...10 {
      programs.loseNextAnswer()
      programs[0].run { count.update { $0 += 1 } }
      programs.deliverOne(0)  // the commit; its effects wait
      let others = [limit - 1, limit, random.below(limit), random.below(2 * limit)][
        random.below(4)]
      for _ in 0..<others { countOnce(programs) }
      programs.deliverAll()
      programs[0].run { programs[0].clock.advance(by: 60_000) }
      programs.deliverAll()
      total += 1 + others
      if others >= limit { repeated += 1 }
      let stored =
        programs.text("count").flatMap { try? JSON.decode(Int.self, from: $0.bytes) } ?? 0
      if stored != total + repeated {
        return """
          \(stored) are counted instead of \(total) and \(repeated) twice in round \(round), with \
          \(others) others, where the store knows \(limit) clients
          """
      }
    }
    return count.wrappedValue == total + repeated ? nil : "who waits does not show the count"
  }

  /// Starts a program, counts and ends it.
  private static func countOnce(_ programs: Programs) {
    programs[1].run { programs[1].count().update { $0 += 1 } }
    programs.deliver(to: programs[1])
    programs[1].run { programs[1].clock.advance(by: 2000) }
    programs.deliver(to: programs[1])
    programs.crash(1)
  }
}
