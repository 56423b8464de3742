import SharingCore
import WasiStorage

extension Case {
  /// Stored text on its way to the host and back.
  static let boundary: [Case] = [
    Case("R18", "a shorter text leaves nothing of a longer one") { trial in
      for count in [100_000, 1, 70_000, 0, 3] {
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: count)
        try? trial.hostStore.set(text, for: KeyName("text"))
        trial.expect(bytes(KeyName("text"), in: trial) == text, "\(count) letters are others")
      }
    },
    Case("R18", "who is told of a change finds the new text whole") { trial in
      let seen = Log()
      let subscription = trial.hostStore.subscribe(to: KeyName("text")) {
        seen.append(bytes(KeyName("text"), in: trial)?.count ?? -1)
      }
      try? trial.hostStore.set([UInt8](repeating: 32, count: 50_000), for: KeyName("text"))
      try? trial.hostStore.remove(KeyName("text"))
      trial.expect(seen.numbers, equals: [50_000, -1])
      subscription.cancel()
    },
    Case("R18", "another program that reads between two writes finds the first one whole") {
      trial in
      @Shared(.localStorage("text")) var text = ""
      for count in [10, 10_000, 100] {
        $text.withLock { $0 = String(repeating: "x", count: count) }
        trial.inAnotherProgram {
          @Shared(.localStorage("text")) var text = ""
          trial.expect(text.utf8.count, equals: count)
        }
      }
    },
    Case("R20", needs: .textOnly, "bytes that are not text are refused, and the old text stays") {
      trial in
      try? trial.hostStore.set(Array("old".utf8), for: KeyName("text"))
      for bytes in notText {
        trial.expect(
          failure { () throws(StorageError) in
            try trial.hostStore.set(bytes, for: KeyName("text"))
          } == .other, "\(bytes.count) bytes are not refused")
      }
      trial.expect(trial.hostStore, "text", equals: "old")
    },
    Case("R20", needs: .textOnly, "a name that is not text is refused, and the next call works") {
      trial in
      let name = KeyName(bytes: [0xFF])
      trial.expect(
        failure { () throws(StorageError) in
          _ = try trial.hostStore.bytes(for: name)
        } == .other, "it was read")
      trial.expect(
        failure { () throws(StorageError) in
          try trial.hostStore.set([], for: name)
        } == .other, "it was stored")
      trial.expect(
        failure { () throws(StorageError) in
          try trial.hostStore.remove(name)
        } == .other, "it was removed")
      try? trial.hostStore.set(Array("new".utf8), for: KeyName("text"))
      trial.expect(trial.hostStore, "text", equals: "new")
    },
    Case("R21", "any text comes back byte for byte") { trial in
      for text in [
        "\u{FEFF}a mark first", "nothing\u{0}ends here", "\u{D7FF}\u{E000}\u{FFFF}",
        "\u{10FFFF}\u{1F600}", "e\u{301}\u{E9}", "\r\n\t\u{7F}\u{80}\u{2028}", " ",
      ] {
        try? trial.hostStore.set(Array(text.utf8), for: KeyName("text"))
        trial.expect(trial.hostStore, "text", equals: text)
      }
    },
    Case("R21", "a text larger than all memory until now comes back whole") { trial in
      let text = (0..<1_500_000).map { UInt8(ascii: "a") + UInt8($0 % 26) }
      try? trial.hostStore.set(text, for: KeyName("text"))
      trial.expect(bytes(KeyName("text"), in: trial) == text, "it is another text")
    },
    Case("R21", "an empty text is an item, and none is none") { trial in
      try? trial.hostStore.set([], for: KeyName("text"))
      trial.expect(trial.hostStore, "text", equals: "")
      try? trial.hostStore.remove(KeyName("text"))
      trial.expect(trial.hostStore, "text", equals: nil)
    },
    Case("R21", "the name of a Storage's own member is an item's like any other") { trial in
      for name in ["length", "getItem", "setItem", "__proto__", "constructor", "0"] {
        trial.expect(trial.hostStore, name, equals: nil)
        try? trial.hostStore.set(Array("mine".utf8), for: KeyName(name))
        trial.expect(trial.hostStore, name, equals: "mine")
        try? trial.hostStore.remove(KeyName(name))
        trial.expect(trial.hostStore, name, equals: nil)
      }
    },
  ]

  /// Bytes that are not UTF-8: alone, truncated, overlong, a surrogate, beyond the last code point.
  private static let notText: [[UInt8]] = [
    [0xFF], [0xE2, 0x82], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
  ]

  private static func bytes(_ key: KeyName, in trial: Trial) -> [UInt8]? {
    (try? trial.hostStore.bytes(for: key)) ?? nil
  }

  /// Returns the reason of a call's error; nil if it succeeds.
  static func failure(
    _ call: () throws(StorageError) -> Void
  ) -> StorageError.Reason? {
    do throws(StorageError) {
      try call()
      return nil
    } catch {
      return error.reason
    }
  }
}
