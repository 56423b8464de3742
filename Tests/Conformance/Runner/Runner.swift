import CHost
import SharingPage

/// Runs every case in memory and in files (or only where the command line says), or in a page over
/// its `localStorage`, and prints a line a case.
enum Runner {
  /// Runs every case over the page's `localStorage`, or twenty walks from the seed that is in the
  /// address, as in `#17000`. Not as a turn of the page, so not as a ``PageApp``: cases have turns.
  static func runInPage() {
    let host = Host.localStorage {
      _ = sharing_page_set(emptying.utf8Start, Int32(emptying.utf8CodeUnitCount), nil, 0)
    }
    let fragment = try? SharingEnvironment().stores.location.bytes(for: KeyName(bytes: []))
    guard let seed = fragment, !seed.isEmpty else {
      run(on: [host])
      return
    }
    let first = Walking.number(seed)
    Walking.take(from: first, to: first + 19, on: host)
  }

  /// What the page is told before a case.
  private static let emptying: StaticString = "empty"

  /// Runs what the words name.
  /// - Returns: Whether all has gone well.
  static func command(_ words: [[UInt8]]) -> Bool {
    let word = words.first.map { UTF8Text($0) } ?? ""
    return switch word {
    case "memory": run(on: [.memory])
    case "files": run(on: [files])
    case "": run(on: [.memory, files])
    case "walk", "replay", "steps", "commits": Walking.run(words)
    default: Endings.run(word)
    }
  }

  /// A folder for every case, in the one that the host gives; none of the cases is ever left out.
  static var files: Host {
    guard let folder = FileStore.hostFolder else {
      writeLine("not ok: no folder was given for the cases with files; give the program one")
      sharing_exit(1)
    }
    return .files(below: folder)
  }

  /// Runs every case on every host.
  /// - Returns: Whether all have passed.
  @discardableResult
  static func run(on hosts: [Host]) -> Bool {
    var passed = 0
    var failed = 0
    for host in hosts {
      for test in Case.all {
        let name = "\(host.name): \(test.rule) \(test.name)"
        if let reason = host.reasonToLeaveOut(test) {
          writeLine("left out \(name): \(reason)")
          continue
        }
        let failures = test.run(on: host)
        if failures.isEmpty { passed += 1 } else { failed += 1 }
        writeLine(
          failures.isEmpty ? "ok \(name)" : "not ok \(name): \(failures.joined(separator: "; "))")
      }
    }
    writeLine("\(passed) passed, \(failed) failed")
    return failed == 0
  }
}

func writeLine(_ line: String) {
  writeLine(UTF8Text(line))
}

func writeLine(_ line: UTF8Text) {
  let line: UTF8Text = "\(line)\n"
  sharing_stream_write(1, line.bytes, Int32(line.bytes.count))
}

/// Runs the words of the command line, or all cases in a page. The program's `main`, which is C,
/// calls this; see main.c.
@c(conformance_main)
public func _conformanceMain() {
  Page.hasProgram = true
  if Page.isInBrowser { return Runner.runInPage() }
  SharingEnvironment.current.stores.useFiles()
  if !Runner.command(Arguments.all) { sharing_exit(1) }
}
