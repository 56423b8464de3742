import SharingCore
import Testing

/// Properties with a getter and a setter, which may change anything in their value.
@Suite struct ComputedPropertyTests {
  private struct Point {
    var x = 0
    var y = 0
  }

  private struct Place {
    var x = 0
    var y = 0
    var point: Point {
      get { Point(x: x, y: y) }
      set { (x, y) = (newValue.x, newValue.y) }
    }
    var swapped: Point {
      get { Point(x: y, y: x) }
      set { (x, y) = (newValue.y, newValue.x) }
    }
  }

  private struct Row: Identifiable {
    let id: Int
    var rank: Int
  }

  private struct Table {
    var rows = [Row(id: 1, rank: 1), Row(id: 2, rank: 2)]
    var sorted: [Row] {
      get { rows.sorted { $0.rank < $1.rank } }
      set { rows = newValue }
    }
  }

  @Test func anObserverOfAPartOfOneSeesAChangeOfAPartOfAnother() {
    let place = Shared(value: Place())
    let seen = Guarded([Int]())
    let token = observe {
      let y = place.point.y.wrappedValue
      seen.withLock { $0.append(y) }
    }
    place.swapped.x.withLock { $0 = 5 }
    #expect(seen.withLock { $0 } == [0, 5])
    token.cancel()
  }

  @Test func anObserverOfAnElementOfOneSeesAChangeOfAnotherElement() {
    let table = Shared(value: Table())
    let seen = Guarded([Int]())
    let token = observe {
      let rank = table.sorted[1].rank.wrappedValue
      seen.withLock { $0.append(rank) }
    }
    table.sorted[0].rank.withLock { $0 = 9 }
    #expect(seen.withLock { $0 } == [2, 9])
    token.cancel()
  }
}
