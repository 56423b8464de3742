import SharingCore

/// Why a command line is not carried out.
struct Refusal {
  /// The exit status.
  let status: Int32
  let message: UTF8Text

  static func unknown(_ name: [UInt8], _ app: App) -> Refusal {
    Refusal(
      status: 1,
      message: """
        There is no action "\(UTF8Text(name))", so nothing was done. There are: \(app.actions.usage).
        """)
  }

  static var noText: Refusal {
    Refusal(status: 2, message: "A word is not UTF-8. Nothing was done.")
  }

  static func incomplete(_ action: Action) -> Refusal {
    Refusal(status: 2, message: "Say more: \(action.usage). Nothing was done.")
  }

  static func nothing(_ app: App) -> Refusal {
    Refusal(status: 2, message: "Say what to do: \(app.actions.usage).")
  }
}
