import CHost
import SharingPage

/// What no case can show, since it needs the end of the program, a long run, or other programs:
/// each is started by a word on the command line.
enum Endings {
  /// Does what a word stands for.
  /// - Returns: That it was done, if the program goes on at all.
  static func run(_ word: UTF8Text) -> Bool {
    switch word {
    case "nested": nestLocks()
    case "missing": askForMissingElement()
    case "debounced": changeLate()
    case "document": changeDocument()
    case "write": writeForEver(Arguments.all[1])
    case "count": count(Int(String(decoding: Arguments.all[1], as: UTF8.self)) ?? 0)
    case "now": writeLine("\(Timestamp.now.millisecondsSince1970)")
    case "soak": Soak().run(turns: Int(String(decoding: Arguments.all[1], as: UTF8.self)) ?? 0)
    default: sharing_exit(2)
    }
    return true
  }

  /// Rule R5: a nested `withLock` stops the program with a message.
  private static func nestLocks() {
    let count = Shared(value: 0)
    count.withLock(
      { outer in count.withLock({ outer = $0 }, fileID: "Inner.swift", line: 22) },
      fileID: "Outer.swift", line: 11)
  }

  /// Rule R12: what was put off is written at the end.
  private static func changeLate() {
    @Shared(.localStorage("late", saving: .debounced(milliseconds: 3_600_000))) var late = 0
    $late.withLock { $0 = 1 }
    $late.withLock { $0 = 2 }
  }

  private static func askForMissingElement() {
    let numbers = Shared(value: [1, 2, 3])
    numbers[3, fileID: "Element.swift", line: 33].withLock { $0 = 4 }
  }

  /// Adds a number to a document and prints how many there are.
  private static func changeDocument() {
    @Shared(.fileStorage("notes/numbers.json")) var numbers: [Int] = []
    $numbers.withLock { $0.append($0.count) }
    writeLine("\(numbers.count)")
    writeLine($numbers.saveError.map { details(of: $0) } ?? "saved")
  }

  /// Rule R18: stores one long text after the other, each of one letter, until it is killed. It
  /// prints a line when the second one is stored: the first one may have been there before.
  private static func writeForEver(_ key: [UInt8]) {
    let text = Shared(wrappedValue: "", .localStorage(String(decoding: key, as: UTF8.self)))
    var letter = UInt8(ascii: "a")
    while true {
      text.withLock {
        $0 = String(decoding: [UInt8](repeating: letter, count: 300_000), as: UTF8.self)
      }
      if let error = text.saveError { writeLine(details(of: error)) }
      if letter == UInt8(ascii: "b") { writeLine("stored") }
      letter = letter == UInt8(ascii: "z") ? UInt8(ascii: "a") : letter + 1
    }
  }

  /// Rule R28: adds one to a count that loses nothing, so many times, and prints a line for each
  /// that is stored.
  private static func count(_ times: Int) {
    @Shared(.indexedDB("count")) var count = 0
    for _ in 0..<times {
      $count.update { $0 += 1 }
      writeLine($count.saveError.map { details(of: $0) } ?? "\(count)")
    }
  }
}
