import SharingCore
import WasiStorage

/// Types of `@Stored`.
let storedTypes: [Case] = [
  Case("R11", "a stored type has its fields, and defaults for those that are missing") { trial in
    trial.store["drawing"] = #"{"title":"a","hidden":9,"drawn_at":7}"#
    @Shared(.localStorage("drawing")) var drawing = Drawing()
    trial.expect(drawing.title == "a" && drawing.hidden == 1 && drawing.time == 7, "fields")
    trial.expect(drawing.shapes.isEmpty && drawing.mode == .view, "defaults")
    $drawing.shapes.withLock { $0 = [.circle(radius: 1.5), .none, .label("b", size: 2)] }
    $drawing.mode.withLock { $0 = .draw }
    trial.expect(
      trial.store["drawing"],
      equals: #"{"title":"a","hidden":9,"drawn_at":7,"shapes":[{"circle":{"radius":1.5}},"#
        + #"{"none":{}},{"label":{"_0":"b","size":2}}],"mode":"draw"}"#)
    $drawing.colour.withLock { $0 = .green }
    trial.expect(trial.store["drawing"].map { UTF8Text($0) }, contains: #""colour":"green""#)
  },
  Case("R11", "cases of an enum come back, in every form") { trial in
    let shapes: [DrawnShape] = [.circle(radius: 2.5), .none, .label("b", size: nil)]
    trial.expect((try? JSON.decode(from: JSON.encode(shapes))) == shapes, "comes back")
    let text = #"["none",{"none":{}},{"label":{"_0":"b"}},{"circle":{"new":[],"radius":2.5}}]"#
    let read = try? JSON.decode([DrawnShape].self, from: Array(text.utf8))
    trial.expect(read == [.none, .none, .label("b", size: nil), .circle(radius: 2.5)], "read")
  },
  Case("R11", "nil is a value of a case, and a missing value is its default") { trial in
    let limits: [Limit<Int?>] = [.least(nil), .most(nil), .most(4)]
    let text = #"[{"least":{"_0":null}},{"most":{"_0":null}},{"most":{"_0":4}}]"#
    trial.expect((try? JSON.encode(limits)) == Array(text.utf8), "written")
    trial.expect((try? JSON.decode(from: Array(text.utf8))) == limits, "come back")
    let read = try? JSON.decode([Limit<Int?>].self, from: Array(#"[{"most":{}}]"#.utf8))
    trial.expect(read == [.most(3)], "default")
    expect(trial, [Limit<Int?>].self, #"[{"least":{}}]"#, "[0].least._0")
  },
  Case("R11", "a field behind a default that is also a keyword is stored") { trial in
    let text = try? JSON.encode(WordSearch())
    trial.expect(text == Array(#"{"word":"any","title":""}"#.utf8), "fields")
  },
  Case("R15", "an unknown case is an error with its place") { trial in
    expect(trial, DrawnShape.self, #"{"oval":{}}"#, "byte 0")
    expect(trial, [DrawnShape].self, #"[{"none":{}},"oval"]"#, "byte 13 of [1]")
    expect(trial, [DrawnShape].self, #"[{"circle":{}}]"#, "[0].circle.radius")
    expect(trial, Drawing.self, #"{"mode":"edit"}"#, "mode")
    expect(trial, Drawing.self, #"{"colour":"blue"}"#, "colour")
  },
  Case("R15", "text with an unknown case is not overwritten by the next change") { trial in
    let newer = #"{"title":"a","drawn_at":7,"shapes":[{"oval":{}}],"mode":"view","colour":"green"}"#
    trial.store["drawing"] = newer
    @Shared(.localStorage("drawing")) var drawing = Drawing()
    trial.expect(drawing == Drawing(), "something of it is shown")
    trial.expect($drawing.loadError.map(details), contains: "shapes[0]")
    trial.expect(trial.store["drawing"], equals: newer)
    $drawing.time.withLock { $0 = 8 }
    trial.expect(drawing.time == 8, "the change is not shown")
    trial.expect(trial.store["drawing"], equals: newer)
    trial.expect(trial.store["drawing.corrupt"], equals: nil)
    trial.expect($drawing.saveError.map(details), contains: "Another version of this app")
  },
  Case("R15", "a stored list whose element lacks a required field is an error that says where") {
    trial in
    let foreign = #"[{"id":1,"title":"Milk"},{"a":1}]"#
    trial.store["entries"] = foreign
    @Shared(.localStorage("entries")) var entries: [Entry] = []
    trial.expect(entries.isEmpty, "a blank element is shown")
    trial.expect($entries.loadError.map(details), contains: "[1].id")
    $entries.withLock { $0.append(Entry(id: 2)) }
    trial.expect(trial.store["entries"], equals: foreign)
    trial.expect($entries.saveError != nil, "the change is said to be stored")
    trial.store["list"] = #"[{"title":"Milk","id":1}]"#
    @Shared(.localStorage("list")) var list: [Entry] = []
    trial.expect(list == [Entry(id: 1, title: "Milk")], "the list is not shown")
  },
  Case("R15", "a number that is too large for an integer names a type that holds it") { trial in
    expect(trial, Int32.self, "3000000000", "`Int64`")
    expect(trial, Int.self, "9223372036854775808", "`Int64`")
  },
]

@Stored private struct Drawing: Equatable {
  var title: UTF8Text = ""
  @Name("drawn_at") var time: Int64 = 0
  var shapes: [DrawnShape] = []
  var mode = Mode.view, colour = Colour.red
  @NotStored var hidden = 1

  @Stored enum Mode { case view, draw }
}

@Stored private struct Entry: Equatable {
  @Required var id: Int
  var title: UTF8Text = ""
}

@Stored private enum DrawnShape: Equatable {
  case circle(radius: Double)
  case label(UTF8Text, size: Int?), none
}

@Stored private enum Colour: String { case red = "dark red", green }

@Stored private enum Limit<Value: JSONValue & Equatable>: Equatable {
  case least(Value), most(Int? = 3)
}

@Stored private struct WordSearch {
  var word = Word.any
  var title: UTF8Text = ""

  @Stored enum Word { case any, none }
}

private func expect<Value: JSONValue>(
  _ trial: Trial, _ type: Value.Type, _ text: StaticString, _ part: UTF8Text
) {
  let bytes = Array(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  do throws(JSONError) {
    _ = try JSON.decode(type, from: bytes)
    trial.expect(false, "read")
  } catch {
    trial.expect(error.text, contains: part)
  }
}
