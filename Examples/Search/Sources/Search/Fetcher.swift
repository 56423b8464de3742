import SharingPage

/// Fetches files: asks for them by number, and hears the answers later, in any order.
final class Fetcher: @unchecked Sendable {
  typealias Answer = Result<[UInt8], AnyError>

  /// Where a program has its fetcher, and each test its own.
  static let slot = SharingEnvironmentSlot { Fetcher() }

  /// Asks for a file; tests replace it.
  var ask: (_ number: Int32, _ path: UTF8Text) -> Bool = askPage
  private var waiting: [(number: Int32, then: (Answer) -> Void)] = []
  private var last: Int32 = 0

  /// Fetches a file, and calls a closure with what is in it, or with why it could not be fetched.
  func fetch(_ path: UTF8Text, then: @escaping (Answer) -> Void) {
    last += 1
    waiting.append((last, then))
    if !ask(last, path) { answer(last, nil) }
  }

  /// Hands an answer to whoever waits for it.
  /// - Parameters:
  ///   - number: The number of the request.
  ///   - bytes: What is in the file; nil where it could not be fetched.
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

/// Asks the page for a file, where there is one: see search.js.
private func askPage(_ number: Int32, _ path: UTF8Text) -> Bool {
  Page.isInBrowser && fetchText(number, path.bytes, Int32(path.bytes.count)) == 0
}

#if arch(wasm32)
  @_extern(wasm, module: "mine", name: "fetch_text")
  private func fetchText(
    _ number: Int32, _ path: UnsafePointer<UInt8>, _ byteCount: Int32
  ) -> Int32

  /// The page answers: the text is in the inbox, and a count of -1 says that there is none.
  @_expose(wasm, "search_answered")
  @c(search_answered)
  public func searchAnswered(_ number: Int32, _ byteCount: Int32) {
    let bytes = byteCount < 0 ? nil : Inbox.bytes(byteCount)
    SharingEnvironment.current[Fetcher.slot].answer(number, bytes)
  }
#else
  /// Never called: natively there is no page.
  private func fetchText(
    _ number: Int32, _ path: UnsafePointer<UInt8>, _ byteCount: Int32
  ) -> Int32 { -1 }
#endif
