import CHost
import SharingPage

/// Random use, from the command line: `walk memory 1 50` takes the walks of seeds 1 to 50, `replay
/// memory "append 0 7; reverse 0"` one that is written down, and `steps 7` writes one down.
///
/// `commits 1 50` runs schedules of commits, and `commits "add 0; crash 0"` one that is written
/// down.
enum Walking {
  /// - Returns: Whether all has gone well.
  static func run(_ words: [[UInt8]]) -> Bool {
    switch UTF8Text(words[0]) {
    case "steps": writeLine(Walks.text(seed: number(words[1])))
    case "commits": return commit(words)
    case "replay": return told(Walks.replay(words[2], on: host(words[1])))
    default: return take(from: number(words[2]), to: number(words[3]), on: host(words[1]))
    }
    return true
  }

  /// Takes the walks of some seeds, up to the first that goes wrong.
  /// - Returns: Whether none has.
  @discardableResult
  static func take(from first: Int, to last: Int, on host: Host) -> Bool {
    for seed in first...max(first, last) {
      // The last line that is printed, if the program stops.
      writeLine("walking from seed \(seed)")
      if !told(Walks.run(seed: seed, on: host)) { return false }
    }
    writeLine("all went well")
    return true
  }

  private static func commit(_ words: [[UInt8]]) -> Bool {
    if words.count == 2 { return told(CommitSchedules.replay(words[1])) }
    for seed in number(words[1])...number(words[2]) {
      if !told(CommitSchedules.run(seed: seed)) { return false }
    }
    return true
  }

  private static func told(_ problem: String?) -> Bool {
    if let problem { writeLine("not ok: \(problem)") }
    return problem == nil
  }

  private static func host(_ name: [UInt8]) -> Host {
    UTF8Text(name) == "files" ? Runner.files : .memory
  }

  static func number(_ word: [UInt8]) -> Int {
    word.reduce(0) { ($0 * 10 + Int($1) - 0x30) % 1_000_000_000 }
  }
}
