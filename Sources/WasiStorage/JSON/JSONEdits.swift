/// New texts for some of an array's elements.
@usableFromInline
struct JSONEdits {
  /// The texts, one behind the other.
  @usableFromInline var writer: JSONWriter
  /// The elements, ascending, and where the text of each begins.
  private var places: [Int] = []
  private var starts: [Int] = []

  @usableFromInline
  init() {
    writer = JSONWriter()
    // As if inside the array.
    writer.depth = 1
  }

  /// Notes that the text of an element comes next.
  /// - Parameter isNew: Whether the array has had no such element: then the text begins with the comma.
  /// - Returns: Whether it comes behind the others, as it should.
  @usableFromInline
  mutating func begin(_ place: Int, isNew: Bool) -> Bool {
    guard place > places.last ?? -1 else { return false }
    places.append(place)
    starts.append(writer.count)
    if isNew, place > 0 { writer.put(",") }
    return true
  }

  /// How many elements have a new text.
  var count: Int { places.count }

  /// The element, and where its new text is.
  subscript(index: Int) -> (place: Int, text: Range<Int>) {
    let end = index + 1 < count ? starts[index + 1] : writer.count
    return (places[index], starts[index]..<end)
  }
}
