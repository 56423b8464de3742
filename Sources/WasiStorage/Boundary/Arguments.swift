import CHost

/// The command-line arguments after the program's name, on every host. Embedded Swift has no
/// `CommandLine`.
package enum Arguments {
  /// The arguments in UTF-8; none in a page.
  package static var all: [[UInt8]] {
    var words: [[UInt8]] = []
    while let word = GrowingBuffer.read({ sharing_argument(Int32(words.count + 1), $0, $1) }).bytes
    {
      words.append(word)
    }
    return words
  }
}
