/// What is known of loading and saving a shared value.
public struct ValueStatus {
  /// Whether its key is loading it.
  public let isLoading: Bool
  /// Why it could not be loaded.
  public let loadError: AnyError?
  /// Why it could not be saved.
  public let saveError: AnyError?

  /// What is known of a value.
  public init<Value>(_ value: Shared<Value>) {
    isLoading = value.isLoading
    loadError = value.loadError
    saveError = value.saveError
  }
}

extension Page {
  /// Shows why a value could not be saved or loaded, once for as long as that is so, under the name
  /// "storage-error" or on standard error; and in place of that, where values are not kept at all.
  /// A command whose values were not saved ends with status 1.
  ///
  /// ```swift
  /// page.bindErrors(of: $count)  // <p role="alert" data-text="storage-error">
  /// page.bindErrors(of: $todos)
  /// ```
  public func bindErrors<Value>(of value: Shared<Value>) {
    let others = collectErrors
    collectErrors = {
      others(&$0)
      $0.add(value.saveError, isLoss: true)
      $0.add(value.loadError, isLoss: false)
    }
    observeErrors()
  }

  /// Shows why a value that is only read could not be loaded, in the same place.
  ///
  /// ```swift
  /// page.bindErrors(of: $results)
  /// ```
  public func bindErrors<Value>(of reader: SharedReader<Value>) {
    let others = collectErrors
    collectErrors = {
      others(&$0)
      $0.add(reader.loadError, isLoss: false)
    }
    observeErrors()
  }

  private func observeErrors() {
    errorToken = isShown ? SharingCore.observe { [self] in showErrors() } : nil
  }

  /// Whether everything that was changed has been stored.
  var isSaved: Bool { !errors.isLoss }

  private var errors: ErrorSummary {
    var errors = ErrorSummary()
    collectErrors(&errors)
    return errors
  }

  private func showErrors() {
    var problem = errors.text
    if problem.isEmpty { problem = SharingEnvironment.current.stores.notice ?? "" }
    show(problem: problem)
  }
}

/// What is wrong with some values.
struct ErrorSummary {
  private(set) var text: UTF8Text = ""
  /// Whether something is in memory only.
  private(set) var isLoss = false
  private var last: UTF8Text = ""

  mutating func add(_ error: AnyError?, isLoss: Bool) {
    guard let error else { return }
    if isLoss { self.isLoss = true }
    let message = message(of: error)
    // What cannot be read is not overwritten, for that very reason.
    if message.isEmpty || message == last { return }
    if !text.isEmpty { text += " " }
    text += message
    last = message
  }
}
