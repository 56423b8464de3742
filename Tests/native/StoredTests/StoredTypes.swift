import SharingCore
import WasiStorage

// Types of every shape that `@Stored` takes. That this file compiles is half of the test.

@Stored struct Todo: Identifiable, Equatable, Codable {
  var id = 0
  var title = ""
  var completed = false
}

/// A type for other modules.
@Stored public struct PublicTodo: Equatable, Codable {
  /// A number.
  public var id = 0
  /// A text.
  public private(set) var title = "a"
}

@Stored package struct PackageTodo {
  package var id = 0
}

@Stored private struct PrivateTodo {
  private var id = 0
  fileprivate var other = 1
}

@Stored private enum PrivateShape { case a(Int), b }

private enum Hidden {
  @Stored enum Shape { case a(Int), b }
  @Stored struct Point { var x = 0 }
}

public extension PublicTodo {
  /// A type that is public by its extension.
  @Stored struct Part { var x = 0 }
}

@Stored struct WithInitializer: Equatable {
  var id = 0
  init(id: Int) { self.id = id }
}

@Stored struct WithOwnInitializer: Equatable {
  var id = 0
  init() { id = 7 }
}

@Stored struct Box<Value: JSONValue & ExpressibleByIntegerLiteral> where Value: Equatable {
  var value: Value = 0
  var more: [Value] = []
}

enum Outer {
  @Stored struct Todo: Equatable { var outer = 1 }

  enum Inner {
    @Stored struct Todo: Equatable { var inner = 2 }
  }
}

extension Outer {
  @Stored struct Extended: Equatable { var value: Outer.Todo = .init() }
}

@Stored struct Shapes: Equatable {
  var a = 1, b = "x", c: Int? = nil
  var optional: Int?
  @NotStored let ignored: Int
  static let shared = 3
  static var count: Int { 3 }
  var computed: Int { a + 1 }
  lazy var slow = 3
  @NotStored var observed = 4 { didSet { if observed < 0 { observed = 0 } } }
  var closure = { "}{" + "\("(")" }()
  var quote = #"""#, quotes = ##"""a"##
  var raw = #"a "quoted" \(no) }"#, after = [1, 2].map { $0 < 2 ? 1 : 2 }
  var dictionary = [String: Int](), generic = Dictionary<String, Array<Int>>()
  var lines = """
    { "
    """
  @available(*, deprecated) func old() { let value = "}"; _ = value }
  @Name("due_date") var due = 5
  @NotStored var hidden = 6
  var `default` = 7
  var größe = 8
  /* var comment = 9 /* nested */ */
  // var line = 10
  var isLess = 1 < 2
  var words = Word.any, cast = Word.as == .is
  struct Nested { var x: Int }
  func function<T>(_ value: T) -> Int where T: Sendable { 3 }
  subscript(index: Int) -> Int { index }
  init() { ignored = 0 }
}

/// Two fields have to be there: one of them may be null.
@Stored struct Entry: Equatable, Identifiable {
  @Required var id: Int
  @Required @Name("due_date") var due: Int?
  var title = "", more: [Int] = Self.none
  @NotStored var hidden = 6
  private static var none: [Int] { [] }
}

@Stored struct OnlyRequired {
  @Required private(set) var child: Entry
  init(_ child: Entry) { self.child = child }
}

/// Names that are keywords elsewhere.
@Stored enum Word { case any, copy, `as`, `is` }

@Stored struct Search: Equatable {
  var mode: Word = .any
  var title = ""
  var other = Word.as
  var isOld = false
}

@Stored struct Tree: Equatable, Codable {
  var name = ""
  var children: [Tree] = []
}

@Stored enum Shape: Equatable, Codable {
  case circle(radius: Double), rectangle(width: Double, height: Double), none
  case text(String, Int?)
  indirect case twice(of: Shape)
}

/// An enum for other modules.
@Stored public enum PublicShape {
  /// One value.
  case one(Int)
}

@Stored enum Filter: Equatable { case all, active, `default` }

@Stored enum Theme: String, Codable { case light, dark = "Dark mode" }

@Stored enum Level: Int, Codable { case low = 1, high }

@Stored enum WithDefault: Equatable, Codable { case size(width: Int = 3, of: [Int] = [1, 2]) }

@Stored enum Limit: Equatable, Codable {
  case at(Int? = 3), between(low: Optional<Int> = 1, high: Optional<Int>), none
}

@Stored enum Result<Value: JSONValue & Equatable>: Equatable { case success(Value), failure }
