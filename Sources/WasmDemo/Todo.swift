import SharingPage

/// One todo. Its stored form is `{"id":1,"title":"Buy milk","completed":false}`.
///
/// The title is not a `String`, because the code of `String` would be a tenth of the whole page.
@Stored struct Todo: Identifiable {
  /// The id. It is not an `Int`, which has 32 bits in wasm.
  var id: Int64 = 0
  var title: UTF8Text = ""
  var completed = false
}
