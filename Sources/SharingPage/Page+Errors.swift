import SharingCore
import WasiStorage

extension Page {
  /// Shows the error of loading or saving a value, once while it lasts, under the name
  /// "storage-error" or on standard error. If values are not kept at all, shows that instead. A
  /// command with unsaved values ends with status 1.
  ///
  /// ```swift
  /// page.bindErrors(of: $count)  // <p role="alert" data-text="storage-error">
  /// page.bindErrors(of: $todos)
  /// ```
  /// If another release of the app has stored a value that this one cannot read, the name
  /// "outdated" says so, and whether the person's changes are kept (rule R32). While a change is
  /// refused, for lack of room, for example, the name "unsaved" is set, and the browser asks before
  /// the page is left.
  public func bindErrors<Value>(of value: Shared<Value>) {
    errorSources.append {
      $0.add(value.saveError, isLoss: true)
      $0.add(value.loadError, isLoss: false)
    }
    observeErrors()
  }

  /// Shows the error of loading a value that is only read, in the same place.
  ///
  /// ```swift
  /// page.bindErrors(of: $results)
  /// ```
  public func bindErrors<Value>(of reader: SharedReader<Value>) {
    errorSources.append {
      $0.add(reader.loadError, isLoss: false)
    }
    observeErrors()
  }

  private func observeErrors() {
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
    var problem = errors.text
    if problem.isEmpty { problem = SharingEnvironment.current.stores.notice ?? "" }
    show(problem: problem)
    show(outdated: errors.outdated, isUnsaved: errors.isUnsaved)
  }
}

/// The errors of some values.
struct ErrorSummary {
  private(set) var text: UTF8Text = ""
  /// Whether a change is in memory only.
  private(set) var isLoss = false
  /// Whether another release has stored a value that this one cannot read.
  private(set) var isOutdated = false
  /// Whether a change is refused. Only a journal may still have it.
  private(set) var isUnsaved = false
  private var last: UTF8Text = ""

  mutating func add(_ error: AnyError?, isLoss: Bool) {
    guard let error else { return }
    if isLoss { self.isLoss = true }
    switch StorageError.from(error, otherwise: .other).reason {
    case .newerVersion, .unreadable:
      isOutdated = true
      if isLoss { isUnsaved = true }
    case .waiting: isOutdated = true
    case .quotaExceeded, .denied:
      if isLoss { isUnsaved = true }
    default: break
    }
    let message = message(of: error)
    // A value that cannot be read is not overwritten; its load error then explains the save error,
    // too.
    if message.isEmpty || message == last { return }
    if !text.isEmpty { text += " " }
    text += message
    last = message
  }

  var outdated: UTF8Text {
    if !isOutdated { return "" }
    return isUnsaved
      ? "A newer version of this app is open. Your last changes are not stored: copy them, and reload."
      : "A newer version of this app is open. Reload to see everything; your changes are kept."
  }
}
