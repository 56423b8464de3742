import SharingCore
import WasiStorage

/// Ids that are unique between programs.
let uniqueIDs: [Case] = [
  Case("R11", "no two ids are equal, and they are sorted in the order of their making") { trial in
    let ids = (0..<2000).map { _ in UniqueID() }
    trial.expect(Set(ids).count, equals: 2000)
    trial.expect(ids == ids.sorted(), "sorted")
    trial.expect(ids.map { $0.text.bytes.count } == ids.map { _ in 26 }, "26 characters")
    let texts = ids.map { $0.text }
    trial.expect(texts == texts.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }, "texts")
  },
  Case("R11", "an id has the time of its making") { trial in
    let before = Timestamp.now
    let time = UniqueID().time
    trial.expect(before <= time && time <= .now, "the time")
  },
  Case("R11", "two programs make different ids in one millisecond") { trial in
    var ids: Set<UniqueID> = []
    for _ in 0..<20 {
      ids.insert(UniqueID())
      trial.inAnotherProgram { ids.insert(UniqueID()) }
    }
    trial.expect(ids.count, equals: 40)
  },
  Case("R11", "an id has the text of the standard") { trial in
    let example = id("01ARZ3NDEKTSV4RRFFQ69G5FAV")
    trial.expect(example?.time.millisecondsSince1970 == 1_469_922_850_259, "its time")
    let first = UniqueID(time: Timestamp(millisecondsSince1970: 0), randomBits: 0)
    trial.expect(text(first), equals: "00000000000000000000000000")
    let last = UniqueID(
      time: Timestamp(millisecondsSince1970: .max), randomBits: .max, firstRandomBits: .max)
    trial.expect(text(last), equals: "7ZZZZZZZZZZZZZZZZZZZZZZZZZ")
    let bits = UniqueID(
      time: Timestamp(millisecondsSince1970: 1), randomBits: 33, firstRandomBits: 1)
    trial.expect(text(bits), equals: "0000000001000G000000000011")
    for id in [first, last, bits, UniqueID()] { trial.expect(UniqueID(id.text) == id, "read") }
    let alphabet = id("0123456789ABCDEFGHJKMNPQRS")
    trial.expect(text(alphabet), equals: "0123456789ABCDEFGHJKMNPQRS")
    trial.expect(text(id("0TVWXYZTVWXYZTVWXYZTVWXYZ0")), equals: "0TVWXYZTVWXYZTVWXYZTVWXYZ0")
    trial.expect(first < bits && bits < last, "sorted")
    let before = UniqueID(time: Timestamp(millisecondsSince1970: -1), randomBits: 0)
    trial.expect(before == first, "a time before 1970")
  },
  Case("R11", "the text of an id is read in either case of letters") { trial in
    let small = id("01arz3ndektsv4rrffq69g5fav")
    trial.expect(text(small), equals: "01ARZ3NDEKTSV4RRFFQ69G5FAV")
  },
  Case("R11", "other texts are no ids") { trial in
    for other in [
      "", "01ARZ3NDEKTSV4RRFFQ69G5FA", "01ARZ3NDEKTSV4RRFFQ69G5FAVV", "81ARZ3NDEKTSV4RRFFQ69G5FAV",
      "ZZZZZZZZZZZZZZZZZZZZZZZZZZ", "01ARZ3NDEKTSV4RRFFQ69G5FAI", "01ARZ3NDEKTSV4RRFFQ69G5FAl",
      "01ARZ3NDEKTSV4RRFFQ69G5FAO", "01ARZ3NDEKTSV4RRFFQ69G5FAu", "01ARZ3NDEKTSV4RRFFQ69G5FA ",
      "01ARZ3NDEKTSV4RRFFQ69G5FA-", "01ARZ3NDEKTSV4RRFFQ69G5FA@", "01ARZ3NDEKTSV4RRFFQ69G5FA[",
      "01ARZ3NDEKTSV4RRFFQ69G5FA{", "01ARZ3NDEKTSV4RRFFQ69G5FA`", "01ARZ3NDEKTSV4RRFFQ69G5é",
    ] as [UTF8Text] {
      trial.expect(id(other) == nil, "\(other)")
    }
  },
  Case("R11", "an id is stored as its text, also as the key of a dictionary") { trial in
    @Shared(.localStorage("entry")) var entry = Entry()
    let made = entry.id
    $entry.title.withLock { $0 = "a" }
    trial.expect(
      trial.store["entry"].map { UTF8Text($0) },
      contains: "{\"id\":\"\(made)\",\"title\":\"a\"}")
    trial.inAnotherProgram {
      @Shared(.localStorage("entry")) var entry = Entry()
      trial.expect(entry.id == made, "the same id")
    }
    @Shared(.localStorage("scores")) var scores: [UniqueID: Int] = [:]
    let second = id("01ARZ3NDEKTSV4RRFFQ69G5FAV")!
    $scores.withLock { $0 = [second: 2] }
    trial.expect(trial.store["scores"], equals: #"{"01ARZ3NDEKTSV4RRFFQ69G5FAV":2}"#)
    trial.inAnotherProgram {
      @Shared(.localStorage("scores")) var scores: [UniqueID: Int] = [:]
      trial.expect(scores == [second: 2], "the same key")
    }
  },
  Case("R11", "an element without an id gets one, which is stored with the next change") { trial in
    trial.store["entries"] = #"[{"title":"a"},{"title":"b"}]"#
    @Shared(.localStorage("entries")) var entries: [Entry] = []
    let ids = entries.map { $0.id }
    trial.expect(Set(ids).count, equals: 2)
    $entries[id: ids[1]]?.title.withLock { $0 = "c" }
    trial.expect(
      trial.store["entries"].map { UTF8Text($0) },
      contains: "{\"id\":\"\(ids[1])\",\"title\":\"c\"}")
    trial.expect(entries.map { $0.id } == ids, "the ids stay")
  },
  Case("R15", "text that is no id is an error with its place") { trial in
    for other in [#""""#, #""01ARZ3NDEKTSV4RRFFQ69G5FA""#, "1", "null"] as [UTF8Text] {
      trial.store["entry"] = "{\"id\":\(other)}".description
      trial.inAnotherProgram {
        @Shared(.localStorage("entry")) var entry = Entry()
        trial.expect($entry.loadError.map(details), contains: "id")
      }
    }
    trial.store["scores"] = #"{"01arz3ndektsv4rrffq69g5fav":2}"#
    @Shared(.localStorage("scores")) var scores: [UniqueID: Int] = [:]
    trial.expect($scores.loadError.map(details), contains: "01arz3")
  },
  Case("R11", "an id is found by its end, and is shown by the shortest one") { trial in
    let entries = [
      Entry(id: id("01ARZ3NDEKTSV4RRFFQ69G5FAV")!), Entry(id: id("01ARZ3NDEKTSV4RRFFQ69GAFAV")!),
      Entry(id: id("01ARZ3NDEKTSV4RRFFQ69G5FAW")!),
    ]
    trial.expect(found("W", in: entries) == entries[2].id, "one character")
    trial.expect(found("5fav", in: entries) == entries[0].id, "small letters")
    trial.expect(found(entries[1].id.text, in: entries) == entries[1].id, "the whole text")
    trial.expect(mistake("FAV", in: entries)?.reason == .ambiguous, "several")
    trial.expect(mistake("X", in: entries)?.reason == .missing, "none")
    for other in ["", "!", "W ", "001ARZ3NDEKTSV4RRFFQ69G5FAW"] as [UTF8Text] {
      trial.expect(mistake(other, in: entries)?.reason == .missing, "no text of an id")
    }
    trial.expect(found("W", in: entries + [entries[2]]) == entries[2].id, "the same id twice")
    trial.expect(mistake("FAV", in: entries)?.message(about: "X"), contains: "Several ids")
    trial.expect(mistake("X", in: entries)?.message(about: "X"), contains: "No id ends with \"X\"")
    let ends = entries.map { entries.shortestEnding(of: $0.id) }
    trial.expect(ends == ["5FAV", "AFAV", "5FAW"], "four characters")
    let far = id("71ARZ3NDEKTSV4RRFFQ69G5FAV")!
    let all = entries + [Entry(id: far)]
    trial.expect(all.shortestEnding(of: far) == far.text, "all characters")
    for entry in all {
      trial.expect(found(all.shortestEnding(of: entry.id), in: all) == entry.id, "found again")
    }
    let middle = id("01ARZ3NDEKTTV4RRFFQ69G5FAV")!
    let pair = [entries[0], Entry(id: middle)]
    trial.expect(pair.shortestEnding(of: middle) == "TV4RRFFQ69G5FAV", "beyond 64 bits")
  },
]

@Stored private struct Entry: Identifiable, Equatable {
  var id = UniqueID()
  var title: UTF8Text = ""
}

private func id(_ text: UTF8Text) -> UniqueID? { UniqueID(text) }

private func text(_ id: UniqueID?) -> String? { id?.text.description }

private func found(_ end: UTF8Text, in entries: [Entry]) -> UniqueID? {
  try? entries.id(endingWith: end)
}

private func mistake(_ end: UTF8Text, in entries: [Entry]) -> UniqueID.LookupError? {
  do throws(UniqueID.LookupError) {
    _ = try entries.id(endingWith: end)
    return nil
  } catch {
    return error
  }
}
