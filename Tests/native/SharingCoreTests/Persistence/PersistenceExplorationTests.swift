import SharingCore
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Explores every sequence of events of one value to a depth, breadth first. A state that was
/// reached before is not explored again.
@Suite struct PersistenceExplorationTests {
  /// The number of events: five seconds without optimization. `SHARING_DEPTH=8 swift test -c
  /// release` takes half a minute.
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
      // A stored value answers saves at once.
      kind.isUsersKey || way == .savesAtOnce ? (kind, way) : nil
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
    var level = 0..<1
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
