/// New texts for some of an array's elements.
struct JSONEdits {
  /// The texts, one behind the other.
  private(set) var writer = JSONWriter()
  /// The elements, ascending, and where the text of each begins.
  private var places: [Int] = []
  private var starts: [Int] = []

  /// Writes the elements at some places.
  ///
  /// Nil when the places make no sense, and when an element cannot be written: to write all of them
  /// then tells where and why.
  /// - Parameters:
  ///   - known: How many elements the array has had; the others are new, and have to be among those at
  ///     the places. The text of a new one begins with the comma.
  ///   - count: How many it has now.
  init?(at places: [Int], _ known: Int, _ count: Int, _ write: EncodedJSON.ElementWriter) {
    // As if inside the array.
    writer.depth = 1
    var last = -1
    var missing = count - known
    for place in places {
      guard place > last, place < count else { return nil }
      last = place
      self.places.append(place)
      starts.append(writer.count)
      if place >= known {
        missing -= 1
        if place > 0 { writer.put(UInt8(ascii: ",")) }
      }
      do throws(JSONError) {
        try write(place, &writer)
      } catch {
        return nil
      }
    }
    guard missing == 0 else { return nil }
  }

  /// How many elements have a new text.
  var count: Int { places.count }

  /// The element, and where its new text is.
  subscript(index: Int) -> (place: Int, text: Range<Int>) {
    let end = index + 1 < count ? starts[index + 1] : writer.count
    return (places[index], starts[index]..<end)
  }
}
