import SharingPage

/// An expense, as it is stored, exported, and shown in a row.
@Stored struct Expense: Identifiable, Equatable {
  var id = UniqueID()
  @Required var title: Title
  @Required var amount: Amount
  @Required var day: LocalDate
  @Required var category: Category
}

enum Category: String, CaseIterable, JSONValue, FieldValue {
  case food, home, travel, health, fun, other
}

/// A text that is not blank. No import and no editing in place stores another one.
struct Title: RawRepresentable, JSONValue, Equatable {
  let rawValue: UTF8Text

  init?(rawValue text: UTF8Text) {
    if text.bytes.allSatisfy({ $0 <= UInt8(ascii: " ") }) { return nil }
    rawValue = text
  }

  /// Whether it contains a text, without regard to the case of ASCII letters.
  func contains(_ text: UTF8Text) -> Bool {
    let (title, part) = (small(rawValue), small(text))
    return (0...max(0, title.count - part.count)).contains { title[$0...].starts(with: part) }
  }

  private func small(_ text: UTF8Text) -> [UInt8] {
    text.bytes.map { 65...90 ~= $0 ? $0 | 0x20 : $0 }
  }
}

/// An amount of money. Its text is `12.50`; people may type `12,5`.
struct Amount: Equatable {
  var cents: Int64
}

extension Amount: RawRepresentable, JSONValue {
  /// Reads an amount above 0 and below 1,000,000.
  init?(rawValue text: UTF8Text) {
    cents = 0
    var decimals: Int?
    for byte in text.bytes {
      if 48...57 ~= byte, decimals ?? 0 < 2, cents < 10_000_000 {
        cents = 10 * cents + Int64(byte - 48)
        decimals = decimals.map { $0 + 1 }
      } else if byte == UInt8(ascii: ".") || byte == UInt8(ascii: ","), decimals == nil {
        decimals = 0
      } else {
        return nil
      }
    }
    for _ in (decimals ?? 0)..<2 { cents *= 10 }
    if cents == 0 || cents >= 100_000_000 { return nil }
  }

  var rawValue: UTF8Text {
    let (whole, rest) = (abs(cents) / 100, Int(abs(cents) % 100))
    return "\(cents < 0 ? "-" : "" as UTF8Text)\(whole.fieldText).\(rest / 10)\(rest % 10)"
  }
}
