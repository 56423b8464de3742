import Foundation
import SharingCommits
import SharingCore
import WasiStorage

/// The stored record of a key: `{"seen":[[CLIENT,STEP],…],"text":TEXT}`, as a page stores it.
///
/// It includes the last steps of clients, so that a commit is stored once, even if its answer was
/// lost: those of the 64 that committed last, the latest first.
struct NATSRecord {
  /// The number of the message in the stream; 0 if there is none.
  var sequence: Int64 = 0
  /// A number that is added to the sequence: higher than the revisions of the key before the bucket
  /// was restored or made anew. So the revisions of a program always grow.
  var base: Int64 = 0
  /// The stored text; nil if nothing is stored or it was removed.
  var text: [UInt8]?
  /// The last stored steps of clients.
  private(set) var seen = ClientSteps()

  private static let clientLimit = 64

  init() {}

  /// Reads a record. Other bytes become a text that does not decode: it is reported, and kept.
  init(_ sequence: Int64, _ body: [UInt8], base: Int64 = 0) {
    (self.sequence, self.base) = (sequence, base)
    guard !body.isEmpty else { return }
    guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(body)) else {
      // A record's text is UTF-8, so that it can be kept.
      self.text = Array("No record: \(String(decoding: body, as: UTF8.self))".utf8)
      return
    }
    text = stored.text.map { Array($0.utf8) }
    for pair in stored.seen.reversed() {
      seen.set(ClientStep(UTF8Text(pair.client), pair.step), limit: Self.clientLimit)
    }
  }

  var revision: Int64 { sequence + base }

  /// Whether a bucket that has had the other record of the key cannot have this one as its last.
  func contradicts(_ other: NATSRecord) -> Bool {
    guard base == other.base, sequence <= other.sequence else { return false }
    return sequence < other.sequence || ItemContents(text) != ItemContents(other.text)
  }

  /// Returns the record with another text, committed by a client.
  func with(_ text: [UInt8]?, by client: UTF8Text, through step: Int) -> NATSRecord {
    var next = self
    next.text = text
    next.seen.set(ClientStep(client, step), limit: Self.clientLimit)
    return next
  }

  var bytes: [UInt8] {
    let text: Any = text.map { String(decoding: $0, as: UTF8.self) } ?? NSNull()
    let steps = seen.all.reversed().map { [$0.client.description, $0.step] as [Any] }
    let object: [String: Any] = ["seen": steps, "text": text]
    return Array((try? JSONSerialization.data(withJSONObject: object)) ?? Data())
  }

  func stored(_ key: KeyName) -> StoredRevision {
    StoredRevision(key: key, revision: revision, bytes: text)
  }
}

/// The record's JSON. It accepts exactly the records that a page accepts.
private struct Stored: Decodable {
  let seen: [Pair]
  let text: String?

  enum Name: String, CodingKey {
    case seen, text
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Name.self)
    seen = try values.decode([Pair].self, forKey: .seen)
    text = try values.decode(String?.self, forKey: .text)  // null, but not missing
  }

  struct Pair: Decodable {
    let client: String
    let step: Int

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      client = try values.decode(String.self)
      step = try values.decode(Int.self)
      guard step > 0 else {
        throw DecodingError.dataCorruptedError(in: values, debugDescription: "A step is below 1.")
      }
    }
  }
}

/// The subjects of a bucket's keys: percent-encoded with `=` for `%`. This includes dots at an end
/// or next to another dot, which a subject does not allow.
enum NATSSubject {
  static func of(_ key: KeyName, in bucket: String) -> String {
    let token = token(of: key.bytes)
    return "$KV.\(bucket)." + (token.isEmpty ? "=" : token)
  }

  private static func token(of bytes: [UInt8]) -> String {
    var token = ""
    for (index, byte) in bytes.enumerated() {
      let isEdge = index == 0 || index == bytes.count - 1 || bytes[index - 1] == UInt8(ascii: ".")
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        token.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: ".") where !isEdge: token += "."
      default: token += "=" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return token
  }
}
