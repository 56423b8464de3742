import SharingCore
import SharingTesting
import Testing

// The examples of derived values in the documentation of Point-Free's Sharing, in its users' form.

private struct SignUpData: Equatable, Sendable {
  var phoneNumber = ""
  var topics: Set<String> = []
  var address = Address()
  var friend: Friend?
  let id: Int

  var firstLetter: Character? {
    get { phoneNumber.first }
    set { phoneNumber = newValue.map(String.init) ?? "" }
  }
}

private struct Address: Equatable, Sendable {
  var city = "Brooklyn"
}

private struct Friend: Equatable, Sendable {
  var name = "Blob"
}

private struct Todo: Identifiable, Equatable, Sendable {
  let id: Int
  var title = ""
  var tags: [String] = []
}

private struct State: Equatable, Sendable {
  var todos: [Todo] = []
  var counts: [String: Int] = [:]
}

private final class PhoneNumberModel {
  @Shared var phoneNumber: String

  init(phoneNumber: Shared<String>) {
    _phoneNumber = phoneNumber
  }
}

/// Similar to SwiftUI's `ForEach`.
private func forEach<Element>(_ elements: [Element], _ content: (Element) -> Void) {
  for element in elements { content(element) }
}

@Suite(.sharing) struct DocumentedDerivationTests {
  @Test func aModelHoldsOnToAPart() {
    @Shared(value: SignUpData(id: 1)) var signUpData
    let model = PhoneNumberModel(phoneNumber: $signUpData.phoneNumber)
    model.$phoneNumber.withLock { $0 = "555" }
    #expect(signUpData.phoneNumber == "555")
  }

  @Test func partsAreNestedComputedAndReadOnly() {
    @Shared(value: SignUpData(phoneNumber: "123", id: 1)) var data
    let city: Shared<String> = $data.address.city
    let topics: SharedReader<Int> = $data.topics.count
    let id: SharedReader<Int> = $data.id
    let letter: Shared<Character?> = $data.firstLetter
    city.withLock { $0 = "Rome" }
    letter.withLock { $0 = "9" }
    $data.topics.withLock { _ = $0.insert("Swift") }
    #expect(data.address.city == "Rome")
    #expect(data.phoneNumber == "9")
    #expect(topics.wrappedValue == 1)
    #expect(id.wrappedValue == 1)
    #expect(SharedReader($data).address.city.wrappedValue == "Rome")
  }

  @Test func anOptionalIsUnwrapped() throws {
    @Shared(value: SignUpData(id: 1)) var data
    #expect(Shared($data.friend) == nil)
    #expect(SharedReader($data.friend) == nil)
    $data.friend.withLock { $0 = Friend() }
    if let friend = Shared($data.friend) {
      friend.name.withLock { $0 += ", Jr." }
    }
    #expect(data.friend?.name == "Blob, Jr.")
    let reader = try #require(SharedReader($data.friend))
    let same = try #require(SharedReader(SharedReader($data.friend)))
    $data.friend.withLock { $0?.name = "Ada" }
    #expect(reader.wrappedValue.name == "Ada")
    #expect(same.name.wrappedValue == "Ada")
  }

  @Test func optionalChainingIsAPart() {
    @Shared(value: SignUpData(friend: Friend(), id: 1)) var data
    let name: SharedReader<String?> = $data[dynamicMember: \.friend?.name]
    $data.friend.withLock { $0 = nil }
    #expect(name.wrappedValue == nil)
  }

  @Test func aListIsAListOfSharedElements() {
    @Shared(value: [Todo(id: 1), Todo(id: 2)]) var todos
    forEach(Array($todos)) { $todo in
      $todo.withLock { $0.title = "todo \($0.id)" }
    }
    for todo in $todos { todo.tags.withLock { $0.append("seen") } }
    #expect(todos.map(\.title) == ["todo 1", "todo 2"])
    #expect(todos.map(\.tags) == [["seen"], ["seen"]])
  }

  @Test func anElementIsFoundByItsID() throws {
    @Shared(value: [Todo(id: 1), Todo(id: 2)]) var todos
    guard let todo = Shared($todos[id: 2]) else {
      Issue.record("there is none")
      return
    }
    todo.title.withLock { $0 = "two" }
    #expect(todos[1].title == "two")
    #expect(Shared($todos[id: 3]) == nil)
    let reader = try #require(SharedReader($todos[id: 2]))
    #expect(reader.wrappedValue.title == "two")
    #expect(SharedReader(SharedReader($todos)[id: 2])?.title.wrappedValue == "two")
  }

  @Test func anElementIsFoundByItsPosition() {
    @Shared(value: State(todos: [Todo(id: 1)])) var state
    $state.todos[0].title.withLock { $0 = "one" }
    #expect(state.todos[0].title == "one")
    let same: Shared<Todo> = $state[dynamicMember: \.todos[0]]
    same.title.withLock { $0 += "!" }
    $state[dynamicMember: \.todos[0].tags].withLock { $0 = ["a"] }
    #expect(state.todos[0] == Todo(id: 1, title: "one!", tags: ["a"]))
  }

  @Test func aDictionaryHasSharedValues() throws {
    @Shared(value: State()) var state
    let swift: Shared<Int?> = $state.counts["swift"]
    #expect(swift.wrappedValue == nil)
    swift.withLock { $0 = 1 }
    try #require(Shared($state.counts["swift"])).withLock { $0 += 10 }
    #expect(state.counts == ["swift": 11])
  }

  @Test func aClosureComputesAValue() {
    @Shared(value: [1, 2, 3]) var numbers
    let even = $numbers.read { numbers in numbers.filter { $0.isMultiple(of: 2) } }
    $numbers.withLock { $0.append(4) }
    let count: SharedReader<Int> = $numbers.count
    #expect(even.wrappedValue == [2, 4])
    #expect(count.wrappedValue == 4)
    #expect(SharedReader($numbers).read { $0.reduce(0, +) }.wrappedValue == 10)
  }

  @Test func aReaderIsHandedOn() {
    struct Child {
      @SharedReader var isHapticsEnabled: Bool
    }
    @Shared(value: true) var isHapticsEnabled
    let child = Child(isHapticsEnabled: SharedReader($isHapticsEnabled))
    $isHapticsEnabled.withLock { $0 = false }
    #expect(!child.isHapticsEnabled)
  }
}
