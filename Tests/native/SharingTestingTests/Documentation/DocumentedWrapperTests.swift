import Observation
import SharingCore
import SharingTesting
import Testing
import WasiStorage

// The examples of wrappers in the documentation of Point-Free's Sharing, in its users' form.

@Observable
private final class MeetingsModel {
  @ObservationIgnored
  @Shared(.inMemory("meetings")) var meetings: [String] = []
}

@Observable
private final class ArchiveModel {
  @ObservationIgnored
  @Shared(.inMemory("meetings")) var meetings: [String] = []
}

private struct Screen {
  @Shared(.appStorage("soundsOn")) var soundsOn = true
  @SharedReader(.appStorage("soundsOn")) var canHear = true
}

private struct Counter {
  @Shared var count: Int

  /// The default is evaluated only if nothing is stored.
  init(stored count: @autoclosure () -> Int) {
    _count = Shared(wrappedValue: count(), .appStorage("count"))
  }

  init(owned count: Int) {
    _count = Shared(value: count)
  }

  init(shared count: Shared<Int>) {
    _count = count
  }
}

private struct Row {
  @Shared var title: String
}

private struct Preview {
  @SharedReader var count: Int
}

// Swift allows no property wrapper on a global variable; a constant is shared in the same way.
private let globalCount = Shared(wrappedValue: 0, .inMemory("globalCount"))

@Suite(.sharing) struct DocumentedWrapperTests {
  @Test func modelsWithTheSameKeyShare() {
    let meetings = MeetingsModel()
    let archive = ArchiveModel()
    meetings.$meetings.withLock { $0.append("Daily") }
    #expect(archive.meetings == ["Daily"])
  }

  @Test func structuresAndReadersWithTheSameKeyShare() {
    let screen = Screen()
    screen.$soundsOn.withLock { $0.toggle() }
    #expect(!screen.soundsOn)
    #expect(!screen.canHear)
  }

  @Test func aStoredPropertyIsMadeInAnInitializer() {
    let first = Counter(stored: 3)
    first.$count.withLock { $0 += 1 }
    let second = Counter(stored: { fatalError("asked for a default that is not needed") }())
    #expect(second.count == 4)
  }

  @Test func anOwnedPropertyIsShared() {
    let owner = Counter(owned: 1)
    let other = Counter(shared: owner.$count)
    other.$count.withLock { $0 = 5 }
    #expect(owner.count == 5)
  }

  @Test func aMemberwiseInitializerTakesTheProjection() {
    @Shared(value: "Blob") var title
    let row = Row(title: $title)
    row.$title.withLock { $0 += ", Jr." }
    #expect(title == "Blob, Jr.")
  }

  @Test func aReaderHasAValueOfItsOwn() {
    #expect(Preview(count: SharedReader(value: 42)).count == 42)
    #expect(Preview(count: .constant(42)).count == 42)
    @SharedReader(value: 7) var seven
    #expect(seven == 7)
  }

  @Test func aGlobalIsShared() {
    @Shared(projectedValue: globalCount) var count
    $count.withLock { $0 += 1 }
    #expect(globalCount.wrappedValue == 1)
  }

  @Test func optionalsNeedNoDefault() {
    @Shared(.appStorage("name")) var name: String?
    @SharedReader(.appStorage("name")) var reader: String?
    #expect(name == nil)
    $name.withLock { $0 = "Blob" }
    #expect(reader == "Blob")
  }

  @Test func optionalsOfOptionalsAreTold() {
    @Shared(.inMemory("number")) var number: Int? = 0
    @Shared(.inMemory("none")) var none: Int? = nil
    @Shared(.inMemory("some")) var some: Int?? = .some(0)
    @SharedReader(.inMemory("someNone")) var someNone: Int?? = .some(.none)
    #expect(number == 0)
    #expect(none == nil)
    #expect(some == .some(0))
    #expect(someNone == .some(.none))
  }

  @Test func withLockReturnsAndThrows() {
    struct Refusal: Error {}
    @Shared(value: [1, 2, 3]) var numbers
    let last = $numbers.withLock { $0.removeLast() }
    #expect(last == 3)
    let text: String = $numbers.withLock { numbers in
      numbers.append(4)
      return "\(numbers.count)"
    }
    #expect(text == "3")
    #expect(throws: Refusal.self) {
      try $numbers.withLock { numbers in
        guard numbers.isEmpty else { throw Refusal() }
        numbers.append(5)
      }
    }
    #expect(numbers == [1, 2, 4])
  }

  @Test func aTaskCapturesTheProjection() async {
    @Shared(value: 0) var count
    await Task { [$count] in $count.withLock { $0 = 1 } }.value
    #expect(count == 1)
  }

  @Test func aProjectionIsAssignedToPointElsewhere() {
    @Shared(.inMemory("first")) var count = 1
    @SharedReader(.inMemory("first")) var reader = 1
    $count = Shared(wrappedValue: 2, .inMemory("second"))
    $reader = SharedReader(wrappedValue: 3, .inMemory("second"))
    #expect(count == 2)
    #expect(reader == 2)
  }

  @Test func wrappersAreComparedAndIdentifiedByTheirValues() {
    struct User: Identifiable, Equatable { var id = 1 }
    @Shared(value: 0) var left
    @Shared(.inMemory("right")) var right = 0
    #expect($left == $right)
    #expect(SharedReader($left) == SharedReader($right))
    $left.withLock { $0 += 1 }
    #expect($left != $right)
    @Shared(value: User()) var user
    #expect($user.id == 1)
    let thrice = $left.read { $0 * 3 }
    let twice = $right.read { $0 * 2 }
    #expect(thrice != twice)
  }
}
