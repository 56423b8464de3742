import SharingCore
import WasiStorage

/// Days of the calendar.
let localDates: [Case] = [
  Case("R11", "a day is read from its text, in leap years, too") { trial in
    for text in [
      "2026-11-28", "2026-02-28", "2024-02-29", "2000-02-29", "0004-02-29", "2026-01-01",
      "2026-12-31", "2026-04-30", "0001-01-01", "9999-12-31",
    ] as [UTF8Text] {
      let date = LocalDate(text)
      trial.expect(date?.text == text, "\(text)")
      let same = date.flatMap { LocalDate(year: $0.year, month: $0.month, day: $0.day) }
      trial.expect(same == date, "\(text)")
    }
  },
  Case("R11", "other texts are no days") { trial in
    for text in [
      "", "2026-02-30", "2026-2-3", "2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01",
      "2026-00-10", "2026-10-00", "0000-01-01", "2026-11-28T00:00", " 2026-11-28", "2026-11-28 ",
      "2026/11/28", "20261128", "-026-11-28", "+026-11-28", "12026-11-28", "2026-11-2x",
      "2026-1\u{661}-28", "28-11-2026",
    ] as [UTF8Text] {
      trial.expect(LocalDate(text) == nil, "\(text)")
    }
  },
  Case("R11", "days are sorted by the calendar, as their texts are") { trial in
    let texts: [UTF8Text] = ["0999-12-31", "2025-12-31", "2026-01-31", "2026-02-01", "2026-11-28"]
    let dates = texts.compactMap { LocalDate($0) }
    trial.expect(dates.reversed().sorted() == dates, "dates")
    trial.expect(texts == texts.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }, "texts")
  },
  Case("R11", "a day is stored as its text, and no other text is read as one") { trial in
    @Shared(.localStorage("day")) var day: LocalDate?
    $day.withLock { $0 = LocalDate("2026-11-28") }
    trial.expect(trial.store["day"], equals: #""2026-11-28""#)
    trial.store["day"] = #""2026-02-30""#
    trial.inAnotherProgram {
      @Shared(.localStorage("day")) var day: LocalDate?
      trial.expect(day == nil, "the default")
      trial.expect($day.loadError != nil, "an error")
    }
  },
  Case("R11", "today is at most a day from the day in UTC") { trial in
    let today = LocalDate.today
    // The days since 1970, counted month by month.
    var days = Int64(today.day - 1)
    for month in 1..<today.month { days += lastDay(of: month, in: today.year) }
    for year in 1970..<max(1970, today.year) {
      for month in 1...12 { days += lastDay(of: month, in: year) }
    }
    let difference = days - Timestamp.now.millisecondsSince1970 / 86_400_000
    trial.expect((-1...1).contains(difference), "a difference of \(Int(difference)) days")
  },
]

private func lastDay(of month: Int, in year: Int) -> Int64 {
  Int64((28...31).last { LocalDate(year: year, month: month, day: $0) != nil }!)
}
