import Foundation
import RandomSteps
import SharingCore
import Testing
import WasiStorage

/// The JSON of stored types.
@Suite struct StoredJSONTests {
  @Test func fieldsAreWrittenInTheirOrder() throws {
    #expect(try text(Shapes()) == Self.shapes)
    #expect(try text(value(Shapes.self, Self.shapes)) == Self.shapes)
  }

  private static let shapes =
    #"{"a":1,"b":"x","c":null,"optional":null,"closure":"}{(","#
    + #""quote":"\"","quotes":"\"\"a","raw":"a \"quoted\" \\(no) }","after":[1,2],"dictionary":{},"#
    + #""generic":{},"lines":"{ \"","due_date":5,"default":7,"größe":8,"isLess":true,"#
    + #""words":"any","cast":false}"#

  @Test func aFieldBehindADefaultThatIsAlsoAKeywordIsStored() throws {
    #expect(try text(Search()) == #"{"mode":"any","title":"","other":"as","isOld":false}"#)
  }

  @Test func whatIsNotStoredHasItsDefault() throws {
    let read = try value(Shapes.self, #"{"hidden":1,"due":2,"due_date":3}"#)
    #expect(read.hidden == 6)
    #expect(read.due == 3)
  }

  @Test func aMissingFieldHasItsDefault() throws {
    #expect(try value(WithOwnInitializer.self, "{}").id == 7)
    #expect(try value(WithInitializer.self, "{}").id == 0)
    #expect(try value(PublicTodo.self, #"{"id":3}"#).title == "a")
  }

  @Test func aMissingRequiredFieldIsAnErrorThatSaysWhere() throws {
    let read = try value(Entry.self, #"{"more":[1],"title":"a","id":3,"due_date":null}"#)
    #expect(read == Entry(id: 3, due: nil, title: "a", more: [1]))
    #expect(read.hidden == 6)
    #expect(try text(read) == #"{"id":3,"due_date":null,"title":"a","more":[1]}"#)
    #expect(try value(Entry.self, #"{"due_date":4,"id":1,"id":2}"#) == Entry(id: 2, due: 4))
    #expect(message(#"[{"id":3,"due_date":null},{"a":1}]"#)?.contains("[1].id") == true)
    #expect(message(#"[{"id":3}]"#)?.contains("[0].due_date") == true)
    #expect(message(#"[{"id":"3","due_date":1}]"#)?.contains("Expected a number") == true)
    #expect(try value(OnlyRequired.self, #"{"child":{"id":1,"due_date":2}}"#).child.id == 1)
    #expect(OnlyRequired(Entry(id: 1, due: nil)).child.id == 1)
  }

  private func message(_ text: String) -> String? {
    do throws(JSONError) {
      _ = try JSON.decode([Entry].self, from: Array(text.utf8))
      return nil
    } catch {
      return "\(error.text)"
    }
  }

  @Test func typesWithOneNameAreEachTheirOwn() throws {
    #expect(try text(Outer.Todo()) == #"{"outer":1}"#)
    #expect(try text(Outer.Inner.Todo()) == #"{"inner":2}"#)
    #expect(try text(Outer.Extended()) == #"{"value":{"outer":1}}"#)
    #expect(try text(Box<Int>()) == #"{"value":0,"more":[]}"#)
  }

  @Test func casesHaveTheFormOfCodable() throws {
    #expect(try text(Shape.circle(radius: 1.5)) == #"{"circle":{"radius":1.5}}"#)
    #expect(try text(Shape.none) == #"{"none":{}}"#)
    #expect(try text(Shape.text("a", nil)) == #"{"text":{"_0":"a","_1":null}}"#)
    #expect(try value(Shape.self, #"{"text":{"_0":"a"}}"#) == .text("a", nil))
    #expect(try value(Shape.self, #" "none" "#) == Shape.none)
    #expect(try value(Shape.self, #" { "none" : { "a" : 1 } } "#) == Shape.none)
    #expect(
      try value(Shape.self, #"{"twice":{"new":[],"of":{"circle":{"radius":2}}}}"#)
        == .twice(of: .circle(radius: 2)))
    #expect(try value(WithDefault.self, #"{"size":{}}"#) == .size())
    #expect(try text(Result<Int>.success(3)) == #"{"success":{"_0":3}}"#)
  }

  @Test func nilIsAValueOfACase() throws {
    #expect(try text(Limit.at(nil)) == #"{"at":{"_0":null}}"#)
    #expect(try value(Limit.self, #"{"at":{"_0":null}}"#) == .at(nil))
    #expect(try value(Limit.self, #"{"at":{"_0":4}}"#) == .at(4))
    #expect(try value(Limit.self, #"{"at":{}}"#) == .at(3))
    #expect(try value(Limit.self, #""at""#) == .at(3))
    #expect(try value(Limit.self, #"{"between":{}}"#) == .between(low: 1, high: nil))
    #expect(
      try value(Limit.self, #"{"between":{"high":2,"low":null}}"#) == .between(low: nil, high: 2))
    #expect(try text(Result<Int?>.success(nil)) == #"{"success":{"_0":null}}"#)
    #expect(try value(Result<Int?>.self, #"{"success":{"_0":null}}"#) == .success(nil))
    #expect(try value(Result<Int?>.self, #"{"success":{"_0":3}}"#) == .success(3))
  }

  @Test func aMissingValueOfACaseIsAnError() {
    let error = #expect(throws: JSONError.self) {
      try value(Result<Int?>.self, #"{"success":{}}"#)
    }
    #expect(error?.path == "success._0")
  }

  @Test func namesOfCasesAreTexts() throws {
    #expect(try text([Filter.all, .default]) == #"["all","default"]"#)
    #expect(try value(Filter.self, #"{"active":{}}"#) == .active)
    #expect(try text(Theme.dark) == #""Dark mode""#)
    #expect(try value(Theme.self, #""Dark mode""#) == .dark)
    #expect(try text(Level.high) == "2")
  }

  @Test(arguments: [
    (#"{"square":{}}"#, 0, ""), (#" "square""#, 1, ""), ("{}", 0, ""),
    (#"{"circle":{}}"#, 0, "circle.radius"), (#"{"circle":{"radius":null}}"#, 20, "circle.radius"),
    (#"{"circle":{"radius":"x"}}"#, 20, "circle.radius"),
    (#"{"none":{},"circle":{"radius":1}}"#, 0, ""), (#"{"none":3}"#, 8, "none"),
    ("3", 0, ""),
  ])
  func aWrongCaseIsAnErrorWithItsPlace(json: String, offset: Int, path: String) {
    let error = #expect(throws: JSONError.self) { try value(Shape.self, json) }
    #expect(error?.offset == offset)
    #expect(error?.path == path)
  }

  @Test func aFieldOfAnotherTypeIsNamed() {
    let error = #expect(throws: JSONError.self) { try value(Todo.self, #"{"id":"x"}"#) }
    #expect(error?.description.contains("Expected a number but found a string") == true)
    #expect(error?.path == "id")
  }
}

func text(_ value: some JSONValue) throws -> String {
  String(decoding: try JSON.encode(value), as: UTF8.self)
}

func value<Value: JSONValue>(_ type: Value.Type, _ text: String) throws -> Value {
  try JSON.decode(Value.self, from: Array(text.utf8))
}
