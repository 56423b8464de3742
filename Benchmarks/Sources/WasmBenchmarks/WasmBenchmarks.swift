/// As a command it does nothing: a host calls its exports.
@main
struct WasmBenchmarks {
  static func main() {}
}
