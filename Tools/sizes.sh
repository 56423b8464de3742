# Compares the gzip sizes of everything a browser loads with the records in Tools/sizes.txt.
# build.sh sources this file.

readonly SIZES=Tools/sizes.txt

# verb_size [--record]: fails if a size is more than 5 % over its record, and lists those that are
# more than 2 % over it. With --record, writes the records.
verb_size() {
  [ $# -eq 0 ] || [ "$*" = --record ] || usage_error "size takes --record or nothing, got: $*"
  local measured=.build/sizes.txt
  build_measured
  measure_sizes >"$measured"
  if [ "${1:-}" = --record ]; then
    cp "$measured" "$SIZES"
    cat "$SIZES"
    return
  fi
  compare_sizes "$measured" "$SIZES" ||
    die "Make it smaller, or record the sizes: ./build.sh size --record"
}

build_measured() {
  need_demo
  need_presence
  build_wasm WasmCounter .build/counter.wasm
  build_wasm CommittedCounter .build/committed-counter.wasm
}

measure_sizes() {
  size "a counter and nothing else: the program and the shim" .build/counter.wasm web/sharing.js
  size "a counter under .indexedDB: the program and its JavaScript" \
    .build/committed-counter.wasm web/{sharing,engines,indexeddb}.js
  size "the engine of .indexedDB" web/indexeddb.js
  size "the engine over NATS" web/nats.js
  size "the demo: the shim and the bindings" web/sharing.js web/page.js
  size "the demo: the program" web/demo.wasm
  size "the demo: all that a browser loads" \
    web/{index.html,style.css,favicon.svg,demo.wasm} web/{main,sharing,page,engines,indexeddb}.js
  size "who is here: what the demo loads beside that, with a NATS server" \
    web/presence.{css,js,wasm} web/nats.js
}

# size NAME FILE…: prints the compressed size of all the files.
size() {
  local total=0 file
  for file in "${@:2}"; do total=$((total + $(gzipped "$file"))); done
  printf '%6d  %s\n' "$total" "$1"
}

# compare_sizes MEASURED RECORDED: prints each size next to its record. Fails if a size is too
# large, has no record, or is recorded but not measured.
compare_sizes() {
  awk '
    { name = $0; sub(/^ *[0-9]+  /, "", name) }
    FILENAME == ARGV[1] { recorded[name] = $1; next }
    {
      remark = ""
      if (!(name in recorded)) { remark = "  NOT RECORDED"; is_wrong = 1 }
      else if ($1 > recorded[name] * 1.05) { remark = "  MORE THAN 5 % OVER ITS RECORD"; is_wrong = 1 }
      else if ($1 > recorded[name] * 1.02) remark = "  more than 2 % over its record"
      printf "%6d bytes gzip, recorded %6d  %s%s\n", $1, recorded[name], name, remark
      delete recorded[name]
    }
    END {
      for (name in recorded) { print "recorded, and not measured: " name; is_wrong = 1 }
      exit is_wrong
    }' "$2" "$1"
}
