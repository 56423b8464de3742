#!/usr/bin/env bash
# Builds, runs and tests the project; `./build.sh help` lists the verbs. What a verb lacks it
# installs, and says so: from Debian's packages when run as root, Python tools into .build/python.
#
# Variables: WASI_SYSROOT (a wasi-sdk's sysroot instead of Debian's wasi-libc), CHROMIUM (its path).
set -euo pipefail
readonly CALLER=$PWD # relative paths on the command line are seen from here
cd "$(dirname "${BASH_SOURCE[0]}")"

readonly TRIPLE=wasm32-unknown-none-wasm
readonly WASM_BUILD=.build/wasm
readonly PYTHON=.build/python/bin
readonly SWIFT_FILES=(Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources)

main() {
  local verb=${1:-build}
  [ $# -eq 0 ] || shift
  case $verb in
    serve | run | test | bench | fuzz | walk | mutate) "verb_$verb" "$@" ;;
    build | soak | size | format | lint | clean | help)
      [ $# -eq 0 ] || usage_error "$verb takes no argument, got: $*"
      "verb_$verb"
      ;;
    *) usage_error "There is no verb '$verb'. $(verb_help)" ;;
  esac
}

# MARK: Verbs

verb_help() {
  cat <<'TEXT'
./build.sh [VERB]
  build                   web/demo.wasm (the default)
  serve [PORT]            the page at http://localhost:8080
  run [--dir DIR] ACTION… the same program on the command line; its state is in DIR (.sharing)
  test [SUITE…]           native, sanitize, wasm, js, browser; when none is named, all but sanitize,
                          lint and size
  soak                    what takes long and seldom fails: sanitize, hundreds of walks and a thousand
                          random actions in each browser, writers that are killed by the hundred, half
                          a minute of fuzz, and a quick bench
  fuzz [SECONDS]          the JSON codec, with what libFuzzer makes up for a minute
  walk SEED [LAST] | STEPS
                          uses the library at random, natively, and compares it with a model; what
                          goes wrong is printed as steps that can be walked again
  mutate [--seconds N] [--seed N] [--log FILE [--again]] [RULE|FILE…]
                          breaks the implementation of each rule, or of these, in one place after
                          the other for a quarter of an hour, and prints what no test has noticed;
                          with a log it goes on where it was, and with --again tries what has survived, too
  mutate --known [TEXT…]  makes the mistakes that a walk has to find, or those with such a name
  size                    what a browser loads, against the budget
  bench [HOST…] [--quick] [--only TEXT]
                          how long things take: native, wasm, chromium, page; all when none is named
  format, lint            Swift and JavaScript, in place or checked
  clean                   removes what was built
TEXT
}

verb_build() {
  local start=$SECONDS
  need_demo
  say "built web/demo.wasm: $(gzipped web/demo.wasm) bytes gzip, in $((SECONDS - start)) s"
}

verb_serve() {
  [ $# -le 1 ] || usage_error "serve takes a port, got: $*"
  local port=${1-8080}
  { [[ $port =~ ^[0-9]{1,5}$ ]] && [ "$port" -ge 1 ] && [ "$port" -le 65535 ]; } ||
    usage_error "'$port' is not a port: give a number from 1 to 65535."
  need_program python3 python3
  python3 Tools/port.py "$port" || die "Name another port: ./build.sh serve PORT"
  verb_build
  say "open http://localhost:$port (Ctrl-C ends)"
  exec python3 -m http.server --bind 127.0.0.1 --directory web "$port"
}

verb_run() {
  local folder=.sharing
  if [ "${1:-}" = --dir ]; then
    [ -n "${2:-}" ] || usage_error "--dir needs a folder."
    folder=$2
    [[ $folder = /* ]] || folder=$CALLER/$folder
    shift 2
  fi
  { mkdir -p "$folder" 2>/dev/null && [ -w "$folder" ]; } ||
    die "The folder '$folder' cannot be written to. Choose another: ./build.sh run --dir DIR …"
  # Standard output is the program's alone.
  need_demo >&2
  need_python >&2
  "$PYTHON/python" Tools/headless.py --dir "$folder" web/demo.wasm "$@"
}

verb_test() {
  local suite
  for suite in "$@"; do
    case $suite in
      native | sanitize | wasm | js | browser) ;;
      *) usage_error "There is no suite '$suite'. There are: native, sanitize, wasm, js, browser." ;;
    esac
  done
  passed=0 failed=0
  if [ $# -gt 0 ]; then
    run_suites "$@"
  else
    verb_lint
    verb_build
    verb_size
    rm -rf .build/conformance # what other runs have noted
    run_suites native wasm js browser
    say "cases of the design's rules that have passed, by host"
    "$PYTHON/python" Tests/rules.py || failed=$((failed + 1))
    say "left to ./build.sh soak: sanitize, longer walks, more killed writers, fuzz, a quick bench"
  fi
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}

verb_soak() {
  passed=0 failed=0
  run_suites sanitize walks page_walks kills
  (verb_fuzz 30) || { say "the JSON codec could not be fuzzed, or not well"; failed=$((failed + 1)); }
  say "benchmarking: quickly; a missed budget is not a failure"
  (verb_bench --quick) || { say "a benchmark could not be run"; failed=$((failed + 1)); }
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}

# The very code of the wasm build, built natively for the address sanitizer. Text that was worth
# keeping is tried again first the next time. Without -Osize, Swift 6.3.1's compiler crashes.
verb_fuzz() {
  [ $# -le 1 ] || usage_error "fuzz takes a number of seconds, got: $*"
  local seconds=${1-60} resources folder=.build/fuzz
  [[ $seconds =~ ^[1-9][0-9]{0,4}$ ]] || usage_error "'$seconds' is not a number of seconds."
  need_swift
  resources=$(swift_resources)/embedded/$(uname -m)-unknown-linux-gnu
  [ -d "$resources" ] || die "This Swift toolchain has no Embedded library for $(uname -sm)."
  swift build --package-path Tests/Fuzz --scratch-path "$folder" --configuration release \
    -Xswiftc -enable-experimental-feature -Xswiftc Embedded -Xswiftc -wmo -Xswiftc -Osize \
    -Xswiftc -sanitize=fuzzer,address -Xswiftc -assert-config -Xswiftc Debug \
    -Xlinker "$resources/libswiftUnicodeDataTables.a" --quiet ||
    die "The Swift build of the fuzzer failed; its messages are above."
  mkdir -p "$folder/corpus"
  "$folder/release/Fuzz" -max_total_time="$seconds" -max_len=4096 -timeout=10 -print_final_stats=1 \
    -dict=Tests/Fuzz/json.dict -artifact_prefix="$folder/" "$folder/corpus" >"$folder/log" 2>&1 ||
    { grep -E 'ERROR|SUMMARY|Fatal|Test unit' "$folder/log"; die "Found something; see $folder/log"; }
  say "fuzzed: $(sed -nE 's/^Done ([0-9]+) runs in ([0-9]+) second.*/\1 runs in \2 s/p' "$folder/log")" \
    "and $(find "$folder/corpus" -type f | wc -l) texts kept"
}

verb_walk() {
  [ $# -gt 0 ] || usage_error "walk takes a seed, or the steps of a walk in quotes."
  need_swift
  need_program python3 python3
  swift build --product ConformanceRunner --quiet || die "The Swift build failed; see above."
  python3 Tools/walks.py "$@"
}

verb_mutate() {
  need_swift
  need_demo # the shim's tests run it
  need_python
  PYTHONDONTWRITEBYTECODE=1 "$PYTHON/python" Tools/mutate.py "$@"
}

verb_size() {
  need_demo
  build_wasm WasmCounter .build/counter.wasm
  build_wasm ThemeByName .build/theme-name.wasm
  build_wasm ThemeByNumber .build/theme-number.wasm
  local is_over= beyond
  budget 32000 "a counter and nothing else: the program and the shim" .build/counter.wasm web/sharing.js
  budget 5500 "the demo: the shim and the bindings" web/sharing.js web/page.js
  budget 48000 "the demo: the program" web/demo.wasm
  budget 60000 "the demo: all that a browser loads" web/*.{html,css,svg,js,wasm}
  beyond=$(($(gzipped .build/theme-name.wasm) - $(gzipped .build/theme-number.wasm)))
  within 1500 "$beyond" "an enum of strings under a key, beyond one of numbers"
  [ -z "$is_over" ] || die "Something is over its budget."
}

# budget BYTES WHAT FILE…: says how many bytes files have, each compressed; sets is_over if those are
# more.
budget() {
  local limit=$1 what=$2 total=0 file
  for file in "${@:3}"; do total=$((total + $(gzipped "$file"))); done
  within "$limit" "$total" "$what"
}

# within LIMIT BYTES WHAT: says how many bytes something has; sets is_over if those are more.
within() {
  printf '%6d of at most %d bytes gzip  %s\n' "$2" "$1" "$3"
  [ "$2" -le "$1" ] || is_over=yes
}

verb_bench() {
  local hosts=() options=() host
  while [ $# -gt 0 ]; do
    case $1 in
      native | wasm | chromium | page) hosts+=("$1") ;;
      --quick) options+=("$1") ;;
      --only)
        [ -n "${2:-}" ] || usage_error "--only needs a part of the names of the rows to measure."
        options+=("$1" "$2")
        shift
        ;;
      *) usage_error "There is no host '$1'. There are: native, wasm, chromium, page." ;;
    esac
    shift
  done
  [ ${#hosts[@]} -gt 0 ] || hosts=(native wasm chromium page)
  need_python
  for host in "${hosts[@]}"; do
    [[ $host != @(chromium|page) ]] || need_program "${CHROMIUM:-chromium}" chromium
    need_benchmarks "$host"
  done
  PYTHONDONTWRITEBYTECODE=1 "$PYTHON/python" Benchmarks/bench.py "${hosts[@]}" "${options[@]}"
}

verb_format() {
  need_swift
  need_python
  swift format --in-place --recursive "${SWIFT_FILES[@]}"
  "$PYTHON/deno" fmt --quiet
}

verb_lint() {
  need_swift
  need_python
  swift format lint --strict --recursive "${SWIFT_FILES[@]}" ||
    die "Swift files are not formatted: ./build.sh format"
  "$PYTHON/deno" fmt --check || die "JavaScript files are not formatted: ./build.sh format"
  "$PYTHON/deno" lint
  "$PYTHON/deno" check web Tests/web Tests/browser Benchmarks/page Benchmarks/script
  "$PYTHON/python" Tools/check_readme.py
}

verb_clean() {
  rm -rf .build Benchmarks/.build web/demo.wasm
}

# MARK: Suites: each adds to `passed`, and fails when something went wrong

# Runs one suite after the other, and counts those that have failed in `failed`.
run_suites() {
  local suite
  for suite in "$@"; do
    say "testing: $suite"
    "test_$suite" || failed=$((failed + 1))
  done
}

test_native() {
  run_swift_test native
}

# The native tests under the thread sanitizer, without those of the codec, which has one thread; and
# those of many threads under the address sanitizer.
test_sanitize() {
  run_swift_test sanitize --sanitize=thread -Xswiftc -DTHREAD_SANITIZER --scratch-path .build/sanitize --skip JSON || return 1
  ! grep -A 20 'WARNING: ThreadSanitizer' .build/sanitize.log || return 1
  # What leaks is another test's to find: see LeakTests.
  ASAN_OPTIONS=detect_leaks=0 run_swift_test address --sanitize=address --scratch-path .build/address --filter 'Thread|Race|Stress'
}

# run_swift_test NAME OPTION…
run_swift_test() {
  need_swift
  local log=.build/$1.log status=0
  mkdir -p .build
  swift test "${@:2}" >"$log" 2>&1 || status=$?
  grep -E 'error:|^✘| Test run with ' "$log" || true
  [ "$status" -eq 0 ] || { say "swift test failed; all of it is in $log"; return 1; }
  # XCTest's, which a filter leaves out.
  [[ " $* " = *" --filter "* ]] ||
    count "$log" 's/.*Executed ([0-9]+) tests, with 0 failures.*/\1/p' || return 1
  count "$log" 's/.*Test run with ([0-9]+) tests? .*passed.*/\1/p'
}

# The portable suite on every host without a page, and the programs as a command line sees them.
test_wasm() {
  need_suite
  need_demo
  need_python
  run_pytest command auto
}

# Random use of the library and of threads, from many more seeds than in the suites above.
test_walks() {
  need_suite
  need_demo
  need_python
  run_pytest command auto --dist load --walks 400 -k test_random_use || return 1
  SHARING_WALKS=200 run_swift_test threads --filter ThreadWalkTests
}

# Writers that are killed, many more of them than in the suite above.
test_kills() {
  need_suite
  need_demo
  need_python
  run_pytest command auto --dist load --kills 60 -k test_crash
}

test_js() {
  need_demo
  need_python
  local log=.build/js.log status=0
  rm -rf .build/coverage
  {
    NO_COLOR=1 "$PYTHON/deno" test --allow-read --coverage=.build/coverage &&
      NO_COLOR=1 "$PYTHON/deno" coverage .build/coverage --include=web/sharing.js --threshold 100
  } >"$log" 2>&1 || status=$?
  [ "$status" -eq 0 ] || { cat "$log"; return 1; }
  count "$log" 's/^ok \| ([0-9]+) passed .*/\1/p'
}

test_browser() {
  need_suite
  build_wasm KeyProgram .build/keys.wasm
  need_browsers
  run_pytest browser 3 # one process for each engine
}

# Random use of the page, more of it than in the suite above.
test_page_walks() {
  need_browsers
  run_pytest browser 3 -k test_walk --walks 9
}

# run_pytest FOLDER PROCESSES OPTION…: runs the tests of a folder of Tests.
run_pytest() {
  local log=.build/$1.log status=0
  PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=Tests "$PYTHON/python" -m pytest -q -rs -p no:cacheprovider \
    -p rules --numprocesses "$2" --dist loadfile "${@:3}" "Tests/$1" >"$log" 2>&1 || status=$?
  [ "$status" -eq 0 ] || { cat "$log"; return 1; }
  sed -nE 's/^SKIPPED \[([0-9]+)\] [^ ]+ /left out \1: /p' "$log"
  count "$log" 's/^([0-9]+) passed.*/\1/p'
}

# Adds the number that a sed script finds in a log to `passed`. No test at all is a failure.
count() {
  local number
  number=$(sed -nE "$2" "$1" | tail -n 1)
  [ "${number:-0}" -gt 0 ] || { say "no test has passed; see $1"; return 1; }
  passed=$((passed + number))
  say "$number passed"
}

# MARK: Building

# Builds web/demo.wasm, once in a run of this script.
need_demo() {
  [ -z "${has_demo:-}" ] || return 0
  build_wasm WasmDemo web/demo.wasm
  has_demo=yes
}

# Builds the portable suite as .build/conformance.wasm, once in a run of this script.
need_suite() {
  [ -z "${has_suite:-}" ] || return 0
  build_wasm ConformanceRunner .build/conformance.wasm
  has_suite=yes
}

# Builds the benchmarks for a host.
need_benchmarks() {
  [ "$1" != page ] || { need_demo; return; }
  if [ "$1" != native ]; then
    build_wasm WasmBenchmarks Benchmarks/page/benchmarks.wasm Benchmarks
    return
  fi
  need_swift
  release_build --package-path Benchmarks --product NativeBenchmarks ||
    die "The Swift build of NativeBenchmarks failed; its messages are above."
}

# Builds a product of this package, or of the one in a folder, for wasm and optimizes it into a file.
# It may be called where `set -e` is off (a suite), so every step that can fail says so itself.
build_wasm() {
  local product=$1 output=$2 package=${3:-.}
  local build=$package/$WASM_BUILD
  need_swift
  need_wasi
  need_program wasm-opt binaryen
  write_toolset
  release_build --triple "$TRIPLE" --toolset .build/toolset.json \
    --package-path "$package" --scratch-path "$build" --product "$product" ||
    die "The Swift build of $product failed; its messages are above."
  optimize "$build/$TRIPLE/release/$product.wasm" "$build/$product.wasm"
  cmp -s "$build/$product.wasm" "$output" || cp "$build/$product.wasm" "$output" ||
    die "$output could not be written."
}

# optimize FILE OUTPUT, unless that is newer than what it is made of. Whoever else runs this script
# meanwhile never has a half of it.
optimize() {
  [ ! "$2" -nt "$1" ] || [ ! "$2" -nt build.sh ] || return 0
  # Debian's version has to be told what the compiler makes use of. Below 1024 is the end of the
  # stack, where no value is. More passes save 0.3 kB (gzip), and an observer takes a fifth longer.
  # It is stripped first: with debug information some passes do nothing. What runs a few times only
  # is not optimized by browsers: calls of tiny functions are inlined here (a change takes a sixth
  # less time then), while a large function stays apart from its only caller, which would be optimized
  # with it while data are being read.
  wasm-opt --strip-debug --strip-producers --strip-target-features \
    --enable-bulk-memory --enable-sign-ext --enable-mutable-globals \
    --enable-nontrapping-float-to-int --low-memory-unused -Oz --converge \
    --always-inline-max-function-size=8 --one-caller-inline-max-function-size=80 \
    "$1" --output "$2.$$" || die "wasm-opt could not optimize ${1##*/}; its messages are above."
  mv "$2.$$" "$2" || die "$2 could not be written."
}

# A build that was planned before does not see that a package which it depends on by its path has
# other files now: plan anew.
release_build() {
  swift build --configuration release --quiet --disable-build-manifest-caching "$@"
}

# The one place where flags stand. SwiftPM reads them from a toolset; it rewrites nothing when the
# file stays the same, so an incremental build is quick.
write_toolset() {
  local resources
  resources=$(swift_resources)
  mkdir -p .build
  sed -e "s|@HEADERS@|$wasi_headers|g" -e "s|@LIBRARIES@|$wasi_libraries|g" \
    -e "s|@BUILTINS@|$wasi_builtins|g" -e "s|@UNICODE@|$resources/embedded/$TRIPLE|g" \
    Tools/toolset.json >.build/toolset.json.$$ || die ".build/toolset.json could not be written."
  if cmp -s .build/toolset.json.$$ .build/toolset.json; then
    rm .build/toolset.json.$$
  else
    mv .build/toolset.json.$$ .build/toolset.json
  fi
}

# MARK: What is needed

need_swift() {
  command -v swift >/dev/null ||
    die "Swift is missing. Install Swift 6.3 from https://swift.org/install"
  local version
  version=$(swift --version 2>/dev/null || true)
  version=$(sed -nE 's/.*Swift version ([0-9]+\.[0-9]+).*/\1/p' <<<"$version")
  [ "$(printf '6.3\n%s\n' "$version" | sort -V | head -n 1)" = 6.3 ] ||
    die "$(command -v swift) is Swift ${version:-of an unknown version}; 6.3 or newer is needed:" \
      "https://swift.org/install"
}

swift_resources() {
  swiftc -print-target-info | sed -nE 's/.*"runtimeResourcePath": "([^"]*)".*/\1/p'
}

# Finds the C library for wasm, or installs it: see find_wasi.
need_wasi() {
  [ -d "$(swift_resources)/embedded/$TRIPLE" ] ||
    die "This Swift toolchain has no Embedded library for $TRIPLE." \
      "Use one from https://swift.org/install"
  find_wasi && return
  [ -z "${WASI_SYSROOT:-}" ] ||
    die "WASI_SYSROOT=$WASI_SYSROOT lacks $wasi_missing." \
      "Let it name share/wasi-sysroot of a wasi-sdk, or unset it to use Debian's wasi-libc."
  install_packages "the C library for wasm" wasi-libc libclang-rt-dev-wasm32
  find_wasi ||
    die "wasi-libc is installed, but $wasi_missing is not below /usr." \
      "Let WASI_SYSROOT name share/wasi-sysroot of a wasi-sdk."
}

# Sets wasi_headers, wasi_libraries and wasi_builtins, or else wasi_missing.
find_wasi() {
  local root=${WASI_SYSROOT:-/usr} builtins=libclang_rt.builtins-wasm32.a
  wasi_headers=$root/include/wasm32-wasi
  wasi_libraries=$root/lib/wasm32-wasi
  wasi_missing=
  for wasi_builtins in "$root"/lib/llvm-*/lib/clang/*/lib/wasi/"$builtins" \
    "$root"/../../lib/clang/*/lib/wasi/"$builtins"; do
    [ ! -f "$wasi_builtins" ] || break
  done
  [ -f "$wasi_builtins" ] || wasi_missing=$builtins
  [ -f "$wasi_libraries/libc.a" ] || wasi_missing=lib/wasm32-wasi/libc.a
  [ -f "$wasi_headers/stdint.h" ] || wasi_missing=include/wasm32-wasi/stdint.h
  [ -z "$wasi_missing" ]
}

# Makes the Python tools of Tests/requirements.txt available in .build/python.
need_python() {
  cmp -s Tests/requirements.txt .build/python/requirements.txt 2>/dev/null && return
  say "installing Python tools into .build/python: $(tr '\n' ' ' <Tests/requirements.txt)"
  command -v python3 >/dev/null || install_packages "Python" python3 python3-venv
  rm -rf .build/python
  python3 -m venv .build/python 2>/dev/null || {
    install_packages "Python's venv" python3-venv
    python3 -m venv .build/python
  }
  "$PYTHON/python" -m pip install --quiet --disable-pip-version-check -r Tests/requirements.txt ||
    die "pip could not install Tests/requirements.txt; its messages are above."
  cp Tests/requirements.txt .build/python/requirements.txt
}

# The page, and three browsers with what drives them.
need_browsers() {
  need_demo
  need_python
  need_program "${CHROMIUM:-chromium}" chromium
  need_program firefox-esr firefox-esr
  need_program WebKitWebDriver webkit2gtk-driver
  need_program Xvfb xvfb # the display of WebKit, which cannot do without one
}

# need_program PROGRAM PACKAGE
need_program() {
  command -v "$1" >/dev/null || install_packages "$1" "$2"
}

# install_packages WHAT PACKAGE…
install_packages() {
  local what=$1 command="apt-get install --no-install-recommends ${*:2}"
  shift
  { [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; } ||
    die "Missing: $what. Install it: sudo $command"
  say "installing $what: $*"
  local log=.build/apt.log
  mkdir -p .build
  { apt-get update && apt-get install --yes --no-install-recommends "$@"; } >"$log" 2>&1 ||
    die "Could not install $what ($command); see $log"
}

gzipped() {
  gzip --best --no-name --stdout "$1" | wc -c
}

# MARK: Messages

say() { printf 'build.sh: %s\n' "$*"; }

die() {
  printf 'build.sh: %s\n' "$*" >&2
  exit 1
}

usage_error() {
  printf 'build.sh: %s\n' "$*" >&2
  exit 2
}

main "$@"
