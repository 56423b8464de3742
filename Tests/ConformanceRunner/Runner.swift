import CHost
import Conformance
import SharingCore
import WasiStorage

/// Runs every case on the hosts of a command line, in memory and in files, and prints a line a case.
@main
struct Runner {
  static func main() {
    for misuse in misuses where Arguments.all.first == misuse.name.bytes { misuse.body() }
    var passed = 0
    var failed = 0
    for host in hosts {
      for test in Case.all {
        let failures = test.run(on: host)
        if failures.isEmpty { passed += 1 } else { failed += 1 }
        print(report(test, host, failures))
      }
    }
    print("\(passed) passed, \(failed) failed")
    if failed > 0 { sharing_exit(1) }
  }

  /// Memory, and files in the folder that the host gives; none of them is ever left out.
  private static var hosts: [Host] {
    guard let folder = FileStore.hostFolder else {
      print("not ok: no folder was given for the cases with files; give the program one")
      sharing_exit(1)
    }
    return [.memory, .files(below: folder)]
  }

  /// What no case can show, since it ends the program: its last words.
  private static var misuses: [(name: UTF8Text, body: () -> Void)] {
    [
      ("nested", nestLocks), ("missing", askForMissingElement),
      ("computed", deriveComputedProperty),
    ]
  }

  private static func nestLocks() {
    let count = Shared(value: 0)
    count.withLock(
      { outer in count.withLock({ outer = $0 }, fileID: "Inner.swift", line: 22) },
      fileID: "Outer.swift", line: 11)
  }

  private static func askForMissingElement() {
    let numbers = Shared(value: [1, 2, 3])
    numbers[3, fileID: "Element.swift", line: 33].withLock { $0 = 4 }
  }

  private static func deriveComputedProperty() {
    let circle = Shared(value: Circle())
    circle.diameter.withLock { $0 = 4 }
  }

  private struct Circle {
    var radius = 1

    var diameter: Int {
      get { 2 * radius }
      set { radius = newValue / 2 }
    }
  }

  private static func report(_ test: Case, _ host: Host, _ failures: [String]) -> String {
    let name = "\(host.name): \(test.rule) \(test.name)"
    if failures.isEmpty { return "ok \(name)" }
    return "not ok \(name): \(failures.joined(separator: "; "))"
  }
}
