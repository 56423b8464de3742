import SharingPage

/// A word of the sea and what it means, as web/words.json has it and as a row of the page.
@Stored struct Word: Equatable {
  var word: UTF8Text = ""
  var meaning: UTF8Text = ""

  /// Whether the word or its meaning has a text in it. Capitals matter.
  func contains(_ text: UTF8Text) -> Bool {
    word.contains(text) || meaning.contains(text)
  }
}

extension UTF8Text {
  fileprivate func contains(_ text: UTF8Text) -> Bool {
    let last = bytes.count - text.bytes.count
    return last >= 0 && (0...last).contains { bytes[$0...].starts(with: text.bytes) }
  }
}
