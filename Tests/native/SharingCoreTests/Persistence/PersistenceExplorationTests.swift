import SharingCore
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Explores every sequence of events of one value to a depth, breadth first, from some beginnings.
/// A state that was reached before is not explored again.
@Suite struct PersistenceExplorationTests {
  /// The number of events. Without optimization, 4 take a second, and 5 about six.
  private static let depth = getenv("SHARING_DEPTH").flatMap { Int(String(cString: $0)) } ?? 4

  @Test("R12, R13, R15: No sequence of answers loses or hides a value", arguments: worlds)
  func allSequences(_ kind: PersistenceWorld.Kind, _ way: PersistenceWorld.Way) {
    let result = explore(PersistenceWorld(kind, way), depth: Self.depth)
    #expect(result.states > 300)
    for (problem, path) in result.problems {
      Issue.record("\(problem): \(path.map { "\($0)" }.joined(separator: ", "))")
    }
  }

  private static let worlds = PersistenceWorld.Kind.allCases.flatMap { kind in
    PersistenceWorld.Way.allCases.compactMap { way in
      // A stored value answers saves during the call. The programs that pause have one thread.
      switch kind {
      case .reading, .pushing: (kind, way)
      case .stored: way == .savesAtOnce || way == .twoThreads ? (kind, way) : nil
      case .paused: way == .savesAtOnce ? (kind, way) : nil
      }
    }
  }

  private func explore(
    _ first: PersistenceWorld, depth: Int
  ) -> (states: Int, problems: [String: [PersistenceWorld.Event]]) {
    var nodes: [(world: PersistenceWorld, parent: Int, event: PersistenceWorld.Event?)] = [
      (first, -1, nil)
    ]
    var known: Set<PersistenceWorld> = [first]
    var problems: [String: [PersistenceWorld.Event]] = [:]
    func path(to index: Int) -> [PersistenceWorld.Event] {
      var (events, index) = ([PersistenceWorld.Event](), index)
      while let event = nodes[index].event {
        events.append(event)
        index = nodes[index].parent
      }
      return events.reversed()
    }
    for beginning in PersistenceWorld.beginnings {
      var (world, parent) = (first, 0)
      for event in beginning {
        guard world.events.contains(event) else { break }
        if let problem = world.perform(event) { problems[problem] = path(to: parent) + [event] }
        nodes.append((world, parent, event))
        parent = nodes.count - 1
        known.insert(world)
      }
    }
    var level = 0..<nodes.count
    for _ in 0..<depth {
      for index in level {
        for event in nodes[index].world.events {
          var world = nodes[index].world
          if let problem = world.perform(event) {
            if problems[problem] == nil { problems[problem] = path(to: index) + [event] }
          } else if known.insert(world).inserted {
            nodes.append((world, index, event))
          }
        }
      }
      level = level.upperBound..<nodes.count
    }
    return (nodes.count, problems)
  }
}
