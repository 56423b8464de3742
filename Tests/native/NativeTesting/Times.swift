import Foundation

/// The factor for the number of schedules, walks and rounds of each random test: the variable
/// SHARING_TIMES, 1 if it is not set.
public let times: Int = {
  guard let text = ProcessInfo.processInfo.environment["SHARING_TIMES"] else { return 1 }
  guard let times = Int(text), times > 0 else {
    fatalError(
      "SHARING_TIMES is '\(text)', not a whole number of 1 or more. Set it anew, or unset it.")
  }
  return times
}()

/// Returns the first seeds in two halves, as arguments of a test: two processors run them in
/// parallel.
/// - Parameter count: The number of seeds if SHARING_TIMES is 1.
public func seeds(_ count: Int) -> [Range<UInt64>] {
  let (middle, end) = (UInt64(count * times / 2), UInt64(count * times))
  return [0..<middle, middle..<end]
}
