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
  var revision: Int64 = 0
  /// The stored text; nil if nothing is stored or it was removed.
  var text: [UInt8]?
  private var seen = ClientSteps()

  private static let clientLimit = 64

  init() {}

  /// Reads a record. Other bytes become a text that does not decode: it is reported, and kept.
  init(revision: Int64, _ body: [UInt8]) {
    self.revision = revision
    guard !body.isEmpty else { return }
    guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(body)) else {
      self.text = Array("No record: ".utf8) + body
      return
    }
    text = stored.text.map { Array($0.utf8) }
    for pair in stored.seen.reversed() {
      seen.set(ClientStep(UTF8Text(pair.client), pair.step), limit: Self.clientLimit)
    }
  }

  /// Returns the last stored step of a client; nil if it is unknown.
  func lastStep(of client: UTF8Text) -> Int? {
    seen.lastStep(of: client)
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
