import SharingPage

/// The words that contain a text, from a fetched file.
///
/// Each text is a key of its own. A reader that is pointed at another text ignores a late answer
/// for the previous one.
struct SearchKey: SharedReaderKey {
  let text: UTF8Text

  var id: SearchID { SearchID(text: KeyName(bytes: text.bytes)) }
  var label: UTF8Text { ".search(\"\(text)\")" }

  func load(context: LoadContext<[Word]>, continuation: LoadContinuation<[Word]>) {
    if text.isEmpty { return continuation.resume(returning: []) }
    // A server of your own would run the search: `search?text=…`.
    Fetcher.current.fetch("words.json") { answer in
      continuation.resume(with: answer.flatMap { words(in: $0) })
    }
  }

  /// The file does not change.
  func subscribe(
    context: LoadContext<[Word]>, subscriber: SharedSubscriber<[Word]>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  private func words(in file: [UInt8]) -> Result<[Word]?, AnyError> {
    do throws(JSONError) {
      return .success(try JSON.decode([Word].self, from: file).filter { $0.contains(text) })
    } catch {
      return .failure(StorageError(.other, key: nil, "The words cannot be read: \(error.text)."))
    }
  }
}

/// The id of a search, of a type that no other kind of key has.
struct SearchID: Hashable {
  let text: KeyName
}

extension SharedReaderKey where Self == SearchKey {
  /// The words that contain a text.
  static func search(_ text: UTF8Text) -> Self { SearchKey(text: text) }
}
