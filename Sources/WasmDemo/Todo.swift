import SharingPage

/// One thing to do, as it is stored: `{"id":1,"title":"Buy milk","completed":false}`.
///
/// The title is not a `String`, whose code would be a tenth of the whole page.
@Stored struct Todo: Identifiable {
  /// Not `Int`, which has 32 bits in wasm.
  var id: Int64 = 0
  var title: UTF8Text = ""
  var completed = false
}
