import Foundation
import StoredExpansion

/// The program that the compiler runs to expand `@Stored`.
///
/// It reads messages from standard input and writes the answers to standard output: eight bytes of
/// length, the lowest first, and as many of JSON.
@main
enum SharingMacros {
  /// The longest message that is read, in bytes.
  private static let longest: UInt64 = 1 << 30

  static func main() {
    while let header = read(8) {
      let length = header.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      guard length <= longest, let body = read(Int(length)) else { return }
      let message = (try? JSONSerialization.jsonObject(with: body)) as? [String: Any]
      write(Messages.answer(to: message ?? [:]))
    }
  }

  private static func read(_ count: Int) -> Data? {
    var bytes = Data()
    while bytes.count < count {
      let more = FileHandle.standardInput.readData(ofLength: count - bytes.count)
      guard !more.isEmpty else { return nil }
      bytes += more
    }
    return bytes
  }

  private static func write(_ answer: [String: Any]) {
    guard let body = try? JSONSerialization.data(withJSONObject: answer) else { return }
    let header = (0..<8).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) }
    FileHandle.standardOutput.write(Data(header) + body)
  }
}
