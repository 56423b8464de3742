import Foundation
import Observation
import SharingCore
import SharingTesting
import Synchronization
import Testing
import WasiStorage

// The examples of observation, gotchas and testing in the documentation of Point-Free's Sharing, in
// its users' form.

private final class Model {
  @Shared(.appStorage("count")) var count = 0
  var cancellables: Set<ObservationToken> = []
  var seen: [Int] = []

  func startObservation() {
    $count.publisher.sink { [unowned self] count in
      seen.append(count)
    }
    .store(in: &cancellables)
  }
}

@Observable
private final class CounterModel {
  @ObservationIgnored
  @Shared(.appStorage("count")) var count = 0

  func incrementButtonTapped() {
    $count.withLock { $0 += 1 }
  }
}

private struct TodosFeature: Codable {
  @Shared(.appStorage("launchCount")) var launchCount = 0
  var todos: [String] = []

  enum CodingKeys: String, CodingKey {
    case todos
  }
}

private struct DecodedFeature: Decodable {
  @Shared(.appStorage("launchCount")) var launchCount = 0
  var todos: [String] = []

  enum CodingKeys: CodingKey {
    case todos
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    _launchCount = Shared(wrappedValue: 0, .appStorage("launchCount"))
    todos = try container.decode([String].self, forKey: .todos)
  }
}

@Suite(.sharing) struct DocumentedObservationTests {
  @Test func aPublisherTellsWhatIsAndWhatComes() {
    let model = Model()
    model.startObservation()
    for _ in 1...3 { model.$count.withLock { $0 += 1 } }
    #expect(model.seen == [0, 1, 2, 3])
  }

  @Test func aPublishersValuesAreASequence() async {
    @Shared(.appStorage("count")) var count = 0
    @SharedReader(.appStorage("count")) var reader = 0
    for await value in $count.publisher.values {
      if value == 3 { break }
      $count.withLock { $0 += 1 }
    }
    var values = $reader.publisher.values.makeAsyncIterator()
    #expect(await values.next() == 3)
  }

  @Test func aTokenKeepsAnObserverGoing() {
    @Shared(.appStorage("count")) var count = 0
    var labels: [String] = []
    let token = observe { labels.append("\(count)") }
    $count.withLock { $0 += 1 }
    token.cancel()
    #expect(labels == ["0", "1"])
  }

  @Test func modelsAreTracked() {
    let model = CounterModel()
    let changes = Mutex(0)
    withObservationTracking {
      _ = model.count
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    model.incrementButtonTapped()
    #expect(model.count == 1)
    #expect(changes.withLock { $0 } == 1)
  }

  @Test func removingAValueIsTracked() {
    @Shared(.inMemory("count")) var count = 0
    @SharedReader(.inMemory("count")) var reader = 0
    $count.withLock { $0 = 5 }
    let changes = Mutex(0)
    withObservationTracking {
      _ = count + reader
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    $count.reset()
    #expect(reader == 0)
    #expect(changes.withLock { $0 } == 1)
  }

  @Test func aDefaultThatATestSetsCountsForTheModel() {
    @Shared(.appStorage("count")) var count = 42
    #expect(CounterModel().count == 42)
  }

  @Test(arguments: 0...10) func eachArgumentHasSharedStateOfItsOwn(initialValue: Int) {
    @Shared(.inMemory("count")) var count = initialValue
    #expect(count == initialValue)
  }

  @Test func aCodableTypeLeavesOutWhatIsShared() throws {
    let feature = TodosFeature()
    feature.$launchCount.withLock { $0 = 7 }
    let text = try String(decoding: JSONEncoder().encode(feature), as: UTF8.self)
    #expect(text == #"{"todos":[]}"#)
    let decoded = try JSONDecoder().decode(TodosFeature.self, from: Data(text.utf8))
    #expect(decoded.launchCount == 7)
    #expect(try JSONDecoder().decode(DecodedFeature.self, from: Data(text.utf8)).launchCount == 7)
  }

  @Test func aMirrorShowsTheValue() {
    struct User {
      var name = "Blob"
    }
    @Shared(value: User()) var user
    var text = ""
    dump($user, to: &text)
    #expect(text.contains(#"name: "Blob""#))
    #expect(Mirror(reflecting: $user).children.first?.label == "name")
    #expect(Mirror(reflecting: SharedReader($user)).children.first?.value as? String == "Blob")
  }
}
