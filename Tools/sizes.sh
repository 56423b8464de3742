# Compares the gzip sizes of what a browser loads with the ceilings in Tools/sizes.txt, and shows
# where the bytes of the counter are. build.sh sources this file.

readonly CEILINGS=Tools/sizes.txt

# verb_size [--folders [PROGRAM]]: fails if a size is over its ceiling. With --folders, prints the
# bytes of a program's code by folder of its source; by default, those of the counter.
verb_size() {
  if [ "${1:-}" = --folders ] && [ $# -le 2 ]; then
    size_folders "${2:-WasmCounter}"
    return
  fi
  [ $# -eq 0 ] || usage_error "size takes --folders [PROGRAM] or nothing, got: $*"
  build_measured
  measure_sizes >.build/sizes.txt
  compare_sizes .build/sizes.txt "$CEILINGS" || die "Take something out. Only an issue raises a ceiling."
}

build_measured() {
  need_demo
  need_presence
  build_wasm WasmCounter .build/counter.wasm
  build_wasm LoaderCounter .build/loader-counter.wasm
  build_wasm CommittedCounter .build/committed-counter.wasm
}

measure_sizes() {
  size "a counter: the program and the shim" .build/counter.wasm web/sharing.js
  size "a counter with a loader of one's own: the program" .build/loader-counter.wasm
  size "a counter under .indexedDB: the program and its JavaScript" \
    .build/committed-counter.wasm web/{sharing,engines,indexeddb}.js
  size "the shim and the bindings" web/{sharing,page}.js
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

# compare_sizes MEASURED CEILINGS: prints each size, its ceiling and what is left. Fails if a size
# is over its ceiling or has none, or if a ceiling is not measured.
compare_sizes() {
  awk '
    BEGIN { print "bytes gzip  ceiling     left" }
    { name = $0; sub(/^ *[0-9]+  /, "", name) }
    FILENAME == ARGV[1] { ceiling[name] = $1; next }
    !(name in ceiling) { printf "%10d                    %s  HAS NO CEILING\n", $1, name; is_wrong = 1; next }
    {
      remark = ""
      if ($1 > ceiling[name]) { remark = "  OVER ITS CEILING"; is_wrong = 1 }
      printf "%10d %8d %8d  %s%s\n", $1, ceiling[name], ceiling[name] - $1, name, remark
      delete ceiling[name]
    }
    END {
      for (name in ceiling) { print "not measured: " name; is_wrong = 1 }
      exit is_wrong
    }' "$2" "$1"
}

# size_folders PROGRAM: builds the program with names and debug information, and prints the bytes
# of its code by folder. Names keep wasm-opt from a few steps, so the sum is about one percent more
# than the real size.
size_folders() {
  local BUILD=.build/folders WITHOUT='for_linker --strip-all'
  local linked=$BUILD/wasm/$TRIPLE/release/$1.wasm tools
  need_swift
  tools=$(swift_resources)
  tools=${tools%/lib/swift}/bin
  need_wasi
  need_program wasm-opt binaryen
  need_program python3 python3
  write_flags
  release_build --triple "$TRIPLE" --toolset "$BUILD/toolset.json" --product "$1" \
    --scratch-path "$BUILD/wasm" || die "The Swift build of $1 failed; its messages are above."
  "$tools/llvm-objcopy" --strip-debug "$linked" "$BUILD/named.wasm" &&
    wasm-opt -g "${wasm_opt_flags[@]}" "$BUILD/named.wasm" --output "$BUILD/$1.wasm" ||
    die "$1 could not be optimized with its names; see above."
  python3 Tools/folders.py "$tools/llvm-symbolizer" "$linked" "$BUILD/$1.wasm"
}
