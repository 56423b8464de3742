import SharingPage

/// Fetches files: sends numbered requests and receives the answers later, in any order.
final class Fetcher: @unchecked Sendable {
  typealias Answer = Result<[UInt8], AnyError>

  /// The program's fetcher; each test has its own.
  static var current: Fetcher { SharingEnvironment.current.object { Fetcher() } }

  /// Requests a file; tests replace it.
  var ask: (_ number: Int32, _ path: UTF8Text) -> Bool = askPage
  private var waiting: [(number: Int32, then: (Answer) -> Void)] = []
  private var last: Int32 = 0

  /// Fetches a file, and calls a closure with its contents or with the error.
  func fetch(_ path: UTF8Text, then: @escaping (Answer) -> Void) {
    last += 1
    waiting.append((last, then))
    if !ask(last, path) { answer(last, nil) }
  }

  /// Passes an answer to the closure of its request.
  /// - Parameters:
  ///   - number: The number of the request.
  ///   - bytes: The contents of the file; nil if it could not be fetched.
  func answer(_ number: Int32, _ bytes: [UInt8]?) {
    guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
    let then = waiting.remove(at: index).then
    guard let bytes else { return then(.failure(Self.failure)) }
    then(.success(bytes))
  }

  private static var failure: StorageError {
    StorageError(.other, key: nil, "The words could not be fetched.")
  }
}

/// Requests a file from the page, if there is one; see search.js.
private func askPage(_ number: Int32, _ path: UTF8Text) -> Bool {
  Page.isInBrowser && fetchText(number, path.bytes, Int32(path.bytes.count)) == 0
}

#if arch(wasm32)
  @_extern(wasm, module: "mine", name: "fetch_text")
  private func fetchText(
    _ number: Int32, _ path: UnsafePointer<UInt8>, _ byteCount: Int32
  ) -> Int32

  /// Receives the page's answer: the text is in the inbox; a count of -1 means that there is none.
  @_expose(wasm, "search_answered")
  @c(search_answered)
  public func searchAnswered(_ number: Int32, _ byteCount: Int32) {
    let bytes = byteCount < 0 ? nil : Inbox.bytes(byteCount)
    Fetcher.current.answer(number, bytes)
  }
#else
  /// Never called: there is no page in a native program.
  private func fetchText(
    _ number: Int32, _ path: UnsafePointer<UInt8>, _ byteCount: Int32
  ) -> Int32 { -1 }
#endif
