import SharingCore
import WasiStorage

extension Page {
  /// Shows the error of loading or saving a value, once while it lasts, under the name
  /// "storage-error" or on standard error. Without errors, shows there if values are not kept. A
  /// command with unsaved values ends with status 1.
  ///
  /// ```swift
  /// page.bindErrors(of: $count)  // <p role="alert" data-text="storage-error">
  /// page.bindErrors(of: $todos)
  /// ```
  /// The person sees each error's message; its advice is in the console. The name "outdated" is set
  /// if another release of the app has stored a value that this one cannot read (rule R32): offer
  /// to reload the page. While a change is refused, for lack of room, for example, the name
  /// "unsaved" is set, and the browser asks before the page is left.
  public func bindErrors(of value: some SharedReadable) {
    errorSources.append {
      $0.add(value.lastSaveError, isLoss: true)
      $0.add(value.loadError, isLoss: false)
    }
    errorToken = SharingCore.observe { [self] in showErrors() }
  }

  /// Whether every change is stored.
  var isSaved: Bool { !errors.isLoss }

  private var errors: ErrorSummary {
    var errors = ErrorSummary()
    for addErrors in errorSources { addErrors(&errors) }
    return errors
  }

  private func showErrors() {
    let errors = errors
    var problem = errors.message
    if errors.isOutdated, errors.isUnsaved {
      problem += " Your last changes are not stored: copy them." as UTF8Text
    }
    if problem.isEmpty { problem = SharingEnvironment.current.stores.notice ?? "" }
    show(problem: problem, details: errors.details)
    show(isOutdated: errors.isOutdated, isUnsaved: errors.isUnsaved)
  }
}

/// The errors of some values.
struct ErrorSummary {
  /// The texts for the person, each once.
  private(set) var message: UTF8Text = ""
  private var messages: [UTF8Text] = []
  /// The texts for the developer.
  private(set) var details: UTF8Text = ""
  /// Whether a change is in memory only.
  private(set) var isLoss = false
  /// Whether another release has stored a value that this one cannot read.
  private(set) var isOutdated = false
  /// Whether a change is refused. Only a journal may still have it.
  private(set) var isUnsaved = false
  private var last: StorageError?

  mutating func add(_ error: AnyError?, isLoss: Bool) {
    guard let error = error.map({ StorageError.from($0, otherwise: .other) }) else { return }
    if isLoss { self.isLoss = true }
    switch error.reason {
    case .newerVersion, .unreadable:
      isOutdated = true
      if isLoss { isUnsaved = true }
    case .waiting: isOutdated = true
    case .quotaExceeded, .denied, .unencodable, .nameTooLong, .notMigrated:
      if isLoss { isUnsaved = true }
    default: break
    }
    // A value that cannot be read is not overwritten; its load error then explains the save error,
    // too.
    if error.text == last?.text { return }
    Self.add(error.text, to: &details)
    last = error
    let message = error.message
    if messages.contains(message) { return }
    messages.append(message)
    Self.add(message, to: &self.message)
  }

  private static func add(_ text: UTF8Text, to all: inout UTF8Text) {
    if !all.isEmpty, !text.isEmpty { all += " " }
    all += text
  }
}
