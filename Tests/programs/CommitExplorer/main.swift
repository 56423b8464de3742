import CommitExploration
import Foundation

// `CommitExplorer 20000` explores each setting by 20,000 runs, `CommitExplorer 20000 doubt back`
// two of them, and `CommitExplorer replay doubt 0 'add 0 0'` replays a path with its ending.
let words = Array(CommandLine.arguments.dropFirst())
if words.count == 4, words[0] == "replay" {
  let lines = CommitExploration.replay(words[1], ending: Int(words[2]) ?? 0, words[3])
  for line in lines { print(line) }
  exit(lines.last == "no problem" ? 0 : 1)
}
let runLimit = words.first.flatMap { Int($0) } ?? 1000
var (passed, hasProblem) = (0, false)
for name in CommitExploration.names where words.count < 2 || words.dropFirst().contains(name) {
  let start = Date()
  let exploration = CommitExploration(name, runLimit: runLimit)
  let seconds = String(format: "%.1f s", Date().timeIntervalSince(start))
  print("\(name): \(exploration.summary), \(seconds)")
  for problem in exploration.problems {
    hasProblem = true
    print("not ok: \(problem)")
  }
  if exploration.problems.isEmpty { passed += 1 }
  fflush(nil)
}
if hasProblem { exit(1) }
print("all: \(passed) settings passed")
