#!/usr/bin/env bash
# Builds, runs and tests the project; `./build.sh help` lists the verbs. A verb installs what it
# needs and says so: Debian packages when run as root, Python tools into .build/python.
#
# Variables: WASI_SYSROOT (a wasi-sdk's sysroot instead of Debian's wasi-libc), CHROMIUM (its path),
# NATS_SERVER (the path of a nats-server), NATS_PORT (the first of the ports that it takes, 4223),
# WITHOUT (a line of Tools/flags.sh to leave out, for measuring what it is good for).
[ "${BASH_VERSINFO[0]}" -ge 4 ] || {
  echo "build.sh: this is bash $BASH_VERSION; 4 or newer is needed: brew install bash" >&2
  exit 1
}
set -euo pipefail
readonly CALLER=$PWD # relative paths on the command line start here
cd "$(dirname "${BASH_SOURCE[0]}")"

readonly PYTHON=.build/python/bin
readonly SWIFT_FILES=(Package.swift Sources Extras Tests Benchmarks/Package.swift Benchmarks/Sources
  Examples/*/{Package.swift,Sources,Tests})

BUILD=.build # the folder for all output of this script

. Tools/wasm.sh
. Tools/app.sh
. Tools/serve.sh
. Tools/deploy.sh
. Tools/tests.sh
. Tools/sizes.sh
. Extras/NATS/Tools/nats.sh

export PYTHONUNBUFFERED=1 # a pipe or a file gets messages at once, too

main() {
  [ "${1:-}" != --package ] || { app_main "${@:2}"; return; }
  local verb=${1:-build}
  [ $# -eq 0 ] || shift
  [[ $verb != @(-h|--help) ]] || verb=help
  if asks_for_help "$verb" "$@"; then
    if [ "$verb" = new ]; then new_help; else verb_usage "$verb" own_help; fi
    return
  fi
  case $verb in
    new | serve | run | test | soak | size | bench | instructions | api | fuzz | walk | mutate)
      "verb_$verb" "$@"
      ;;
    build | docs | lines | format | lint | clean | help)
      [ $# -eq 0 ] || usage_error "$verb takes no argument, got: $*"
      "verb_$verb"
      ;;
    *) usage_error "There is no verb '$verb'. $(verb_help)" ;;
  esac
}

# MARK: Verbs

verb_help() {
  printf 'An app of your own:\n\n'
  new_help
  app_help
  printf '\nThis package, for those who work on it:\n\n'
  own_help
}

own_help() {
  cat <<'TEXT'
./build.sh [VERB]
  build                   web/demo.wasm (the default)
  serve [--docs] [PORT]   the page at http://localhost:8080, or the documentation
  serve --nats [3] [PORT] the page, and a NATS server or a cluster of three, with data in .build/nats
  docs                    the documentation, as a site in .build/docs
  run [--dir DIR] ACTION… the same program on the command line; its state is in DIR (.sharing)
  test                    the quick tests: lint, native, the shim, the portable cases under wasmtime
                          and in Chromium, and the page as a person would try it first; minutes
  test all                the quick tests, unless they have just passed, and all others: hosts, engines,
                          the extras (NATS, simulation), sizes, documentation, API, examples, new apps
  test SUITE…             whole suites: native, wasm, js, browser, nats
  soak [PART…]            hours: sanitize; walks, and schedules of commits, by the thousand; page_walks,
                          a thousand random actions in each browser; engines, all tests of the page in
                          Firefox and WebKit, and axe in all articles; kills, of writers by the hundred,
                          and ten races of tabs; mutate; fuzz; bench
  fuzz [SECONDS]          the JSON codec, with what libFuzzer makes up for a minute
  walk SEED [LAST] | STEPS
                          uses the library at random, natively, and compares it with a model; what
                          goes wrong is printed as steps that can be walked again
  mutate [--seconds N] [--seed N] [--log FILE [--again]] [RULE|FILE…]
                          breaks the implementation of each rule, or of these, in one place after
                          the other for a quarter of an hour, and prints what no test has noticed;
                          with a log it goes on where it was, and with --again tries what has survived, too
  size [--folders [PROGRAM]]
                          what a browser loads, beside the ceilings of Tools/sizes.txt; or the bytes of
                          a program by folder of its source, by default those of the counter
  lines                   the lines of code by module, and the public symbols, beside their ceilings
  api [--accept]          compares the public API with docs/api.txt, or writes that anew
  bench [HOST…] [--quick] [--only TEXT]
                          how long things take: native, wasm, chromium, page, nats, which are measured when
                          none is named, or firefox
  bench nats --seconds N  what 20 writers and a page over a NATS server lose in that time, and the memory
                          that the server, the writers and the page take
  instructions [--record] the wasm instructions of each workload of bench, beside the figures of
                          Benchmarks/instructions.txt; or records them
  format                  formats Swift and JavaScript, in place
  lint                    checks the format, the types of JavaScript, and parts of the documentation
  clean                   removes what was built
  help                    this list; VERB --help shows the lines of a verb
TEXT
}

verb_build() {
  local start=$SECONDS
  need_demo
  say "built web/demo.wasm: $(gzipped web/demo.wasm) bytes gzip, in $((SECONDS - start)) s"
}

verb_serve() {
  [[ " $* " != *" --docs "* || " $* " != *" --nats "* ]] ||
    usage_error "serve takes --docs or --nats, not both."
  if [ "${1:-}" = --docs ]; then
    need_port "${@:2}"
    verb_docs
    serve_folder .build/docs
  fi
  [ "${1:-}" != --nats ] || serve_with_nats "${@:2}"
  need_port "$@"
  verb_build
  serve_folder web
}

# The code of the articles is also compiled for wasm.
verb_docs() {
  need_swift
  need_wasi
  need_mkdocs
  write_flags
  bash Tools/docs.sh
}

verb_run() {
  need_state_folder .sharing "$@"
  shift "$taken"
  # Only the program writes to standard output; progress goes to standard error.
  need_demo >&2
  need_python >&2
  "$PYTHON/python" Tools/headless.py --dir "$state" web/demo.wasm "$@"
}

# Builds the code of the wasm build natively, for the address sanitizer. The next run starts from
# the texts that libFuzzer has saved. Without -Osize, the compiler of Swift 6.3.1 crashes.
verb_fuzz() {
  [ $# -le 1 ] || usage_error "fuzz takes a number of seconds, got: $*"
  local seconds=${1-60} resources folder=.build/fuzz
  [[ $seconds =~ ^[1-9][0-9]{0,4}$ ]] || usage_error "'$seconds' is not a number of seconds."
  need_swift
  resources=$(swift_resources)/embedded/$(uname -m)-unknown-linux-gnu
  [ -d "$resources" ] || die "This Swift toolchain has no Embedded library for $(uname -sm)."
  mkdir -p "$folder/corpus"
  local c_flags=() linker_flags=("$resources/libswiftUnicodeDataTables.a")
  # A toolset, and not -Xswiftc, which is for the macro's program, too.
  print_toolset -enable-experimental-feature Embedded -wmo -Osize -sanitize=fuzzer,address \
    -assert-config Debug | update "$folder/toolset.json"
  swift build --package-path Tests/Fuzz --scratch-path "$folder" --configuration release \
    --toolset "$folder/toolset.json" --quiet ||
    die "The Swift build of the fuzzer failed; its messages are above."
  "$folder/release/Fuzz" -max_total_time="$seconds" -max_len=4096 -timeout=10 -print_final_stats=1 \
    -dict=Tests/Fuzz/json.dict -artifact_prefix="$folder/" "$folder/corpus" >"$folder/log" 2>&1 ||
    { grep -E 'ERROR|SUMMARY|Fatal|Test unit' "$folder/log"; die "The fuzzer found a failure; see $folder/log"; }
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
  need_demo # for the shim's tests
  need_python
  PYTHONDONTWRITEBYTECODE=1 "$PYTHON/python" Tools/mutate.py "$@"
}

verb_api() {
  [ $# -eq 0 ] || [ "$*" = --accept ] || usage_error "api takes --accept or nothing, got: $*"
  need_swift
  need_program python3 python3
  swift build --quiet || die "The Swift build failed; see above."
  python3 Tools/api.py "$@"
}

verb_bench() {
  local hosts=() others=() options=() host seconds='' with_nats=''
  while [ $# -gt 0 ]; do
    case $1 in
      native | wasm | chromium | firefox | page | nats) hosts+=("$1") ;;
      --quick) options+=("$1") ;;
      --only)
        [ -n "${2:-}" ] || usage_error "--only needs a part of the names of the rows to measure."
        options+=("$1" "$2")
        shift
        ;;
      --seconds)
        [[ ${hosts[*]} == nats && ${2:-} =~ ^[1-9][0-9]{0,4}$ ]] ||
          usage_error "--seconds needs a number, and is for nats alone: bench nats --seconds 900"
        seconds=$2
        shift
        ;;
      *) usage_error "There is no host '$1'. There are: native, wasm, chromium, page, nats, firefox." ;;
    esac
    shift
  done
  [ ${#hosts[@]} -gt 0 ] || hosts=(native wasm chromium page nats)
  need_python
  for host in "${hosts[@]}"; do
    if [ "$host" = nats ]; then
      with_nats=yes
      continue
    fi
    [[ $host != @(chromium|page) ]] || need_program "${CHROMIUM:-chromium}" chromium
    [ "$host" != firefox ] || need_program firefox-esr firefox-esr
    need_benchmarks "$host"
    others+=("$host")
  done
  [ ${#others[@]} -eq 0 ] || PYTHONDONTWRITEBYTECODE=1 "$PYTHON/python" Benchmarks/bench.py \
    "${others[@]}" "${options[@]}"
  [ -z "$with_nats" ] || bench_nats "$seconds" "${options[@]}"
}

# verb_instructions [--record]: fails if a workload takes 5 % more instructions than its record.
verb_instructions() {
  [ $# -eq 0 ] || [ "$*" = --record ] ||
    usage_error "instructions takes --record or nothing, got: $*"
  need_python
  need_benchmarks wasm
  PYTHONDONTWRITEBYTECODE=1 "$PYTHON/python" Benchmarks/instructions.py "$@"
}

verb_lines() {
  need_program python3 python3
  python3 Tools/lines.py
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
  need_scripts
  "$PYTHON/deno" check JavaScript web Extras Tests/web Tests/browser \
    Benchmarks/page Benchmarks/script Examples/*/web Tools/serve.js
  "$PYTHON/python" Tools/check_docs.py --scripts
  "$PYTHON/python" Tools/check_readme.py
  "$PYTHON/python" Tools/words.py
  "$PYTHON/check-jsonschema" -q --builtin-schema vendor.github-workflows \
    {.,Template}/.github/workflows/*.yml
  "$PYTHON/check-jsonschema" -q --schemafile Tools/devcontainer.schema.json \
    {.,Template}/.devcontainer/devcontainer.json
  "$PYTHON/check-jsonschema" -q --builtin-schema vendor.github-issue-forms \
    .github/ISSUE_TEMPLATE/*.yml
  check_lines || die "These lines have more than 100 columns."
}

# Prints all lines of C and all comment lines over 100 columns; fails if there are any. No formatter
# checks these lines: C has none, and the other formatters do not wrap comments.
check_lines() {
  local files
  mapfile -t files < <(find Sources Extras Tests Tools Benchmarks Examples JavaScript web \
    build.sh -name .build -prune -o -type f -print |
    grep -E '\.(swift|c|h|js|mjs|ts|py|sh)$')
  LC_ALL=C awk '
    FNR == 1 { mark = FILENAME ~ /\.(py|sh)$/ ? "#" : "//"; is_docstring = 0 }
    {
      line = $0
      gsub(/[\200-\277]/, "", line) # counts each UTF-8 character as one byte
      quotes = FILENAME ~ /\.py$/ ? gsub(/"""/, "&") : 0
      is_checked = is_docstring || quotes || line ~ "(^| )" mark "[ !/<]" ||
        (mark == "//" && line ~ /^ *\/?\*/) || FILENAME ~ /\.[ch]$/
      if (quotes % 2) is_docstring = !is_docstring
    }
    is_checked && length(line) > 100 { print FILENAME ":" FNR ": " $0; is_found = 1 }
    END { exit is_found }' "${files[@]}"
}

verb_clean() {
  rm -rf .build Benchmarks/.build web/{demo,presence}.wasm Examples/*/.build Examples/*/web/*.wasm
}

# MARK: Building

readonly UNOPTIMIZED=$PWD/.build/wasm-debug/wasm32-unknown-none-wasm/debug # see build_unoptimized

# Copies the modules of the product next to each page that imports them, and the extras' parts of
# the demo's page into its folder.
need_scripts() {
  once scripts copy_all_scripts
}

copy_all_scripts() {
  local folder file
  for file in Extras/*/web/*; do update "web/${file##*/}" <"$file"; done
  for folder in web Examples/*/web; do
    [ ! -d "$folder" ] || copy_scripts "$folder"
  done
}

# once NAME COMMAND…: runs a build command, but only once per test run.
once() {
  [ -z "${RUN:-}" ] || [ ! -e "$RUN/built-$1" ] || return 0
  "${@:2}" || return 1
  [ -z "${RUN:-}" ] || touch "$RUN/built-$1"
}

# Builds web/demo.wasm.
need_demo() {
  need_scripts
  once demo build_wasm WasmDemo web/demo.wasm
}

# Builds the portable suite as .build/conformance.wasm.
need_suite() {
  once suite build_wasm ConformanceRunner .build/conformance.wasm
}

# Builds the program with one value for each kind of key as .build/keys.wasm.
need_keys() {
  once keys build_wasm KeyProgram .build/keys.wasm
}

# Builds the three releases of one app, without optimization.
need_releases() {
  once releases build_unoptimized FirstRelease SecondRelease ThirdRelease
}

# Builds the program with one value for each kind of control as .build/controls.wasm.
need_controls() {
  once controls build_wasm ControlsPage .build/controls.wasm
}

# Builds the program that a loader of the tests runs as .build/loader.wasm.
need_loader_program() {
  once loader build_wasm LoaderProgram .build/loader.wasm
}

# Builds the programs of the articles about other loaders.
need_guides() {
  once guides build_guides
}

# They share the scratch folder of this package, as the examples do.
build_guides() {
  local name folder
  rm -rf .build/guides
  need_program python3 python3
  python3 Tools/guides.py .build/guides || die "The articles' packages could not be written."
  for name in Counter App; do
    folder=.build/guides/$name
    build_wasm "$name" "$folder/web/$name.wasm" "$folder" .build/wasm &&
      copy_scripts "$folder/web" "$folder" || die "The program of the articles in $folder cannot be built."
  done
}

need_app_by_path() {
  once app-by-path build_app_by_path
}

# Clones this repository with its uncommitted changes into an empty folder, like a new user. Next to
# the clone, writes, serves and builds an app that depends on it by path.
build_app_by_path() {
  local apps=.build/apps clone=.build/apps/wasm-sharing changed start
  rm -rf "$apps"
  mkdir -p "$apps"
  git clone --quiet . "$clone" && changed=$(git stash create) &&
    git push --quiet "$clone" "${changed:-HEAD}:refs/heads/tested" &&
    git -C "$clone" checkout --quiet -B main tested || die "This repository cannot be cloned."
  start=$SECONDS
  "$clone/build.sh" new "$apps/ByPath" &&
    python3 Tools/served.py "$apps/ByPath" swift run wasm serve ||
    die "An app that depends on this package by its path cannot be served."
  say "from 'new' to a page that answers: $((SECONDS - start)) s"
  "$clone/build.sh" --package "$apps/ByPath" build ||
    die "An app that depends on this package by its path cannot be built."
}

# Builds the app by path, and a second program for it, which calls a function of its page.
need_app_programs() {
  need_app_by_path
  once calling build_calling .build/apps/ByPath || die "A second program of ByPath cannot be built."
}

# Builds a second program of an app, and removes it from the package afterwards.
build_calling() {
  cp "$1/Package.swift" "$1/Package.plain" && cp -r Tests/browser/app/Sources "$1" &&
    sed -i '/^  targets: \[$/r Tests/browser/app/targets.txt' "$1/Package.swift" &&
    .build/apps/wasm-sharing/build.sh --package "$1" --product Calling build &&
    mv "$1/Package.plain" "$1/Package.swift"
}

need_examples() {
  once examples build_examples
}

# Builds the examples, each into its web folder. They share the scratch folder of this package, so
# that the library is built once: 21 s of one core in place of 155.
build_examples() {
  local folder name
  for folder in Examples/*; do
    [ -d "$folder" ] || continue
    name=${folder##*/}
    build_wasm "$name" "$folder/web/$name.wasm" "$folder" .build/wasm &&
      copy_scripts "$folder/web" "$folder" || die "The example in $folder cannot be built."
  done
}

# Builds the benchmarks for a host.
need_benchmarks() {
  [ "$1" != page ] || { need_demo; need_app_by_path; return; }
  if [ "$1" != native ]; then
    build_wasm WasmBenchmarks Benchmarks/page/benchmarks.wasm Benchmarks
    return
  fi
  need_swift
  release_build --package-path Benchmarks --product NativeBenchmarks ||
    die "The Swift build of NativeBenchmarks failed; its messages are above."
}

# build_unoptimized PRODUCT…: builds programs without optimization, which is fast. For tests only.
build_unoptimized() {
  local product
  need_swift
  need_wasi
  write_flags
  for product in "$@"; do
    swift build --triple "$TRIPLE" --toolset "$BUILD/toolset-debug.json" --quiet \
      --scratch-path .build/wasm-debug --product "$product" ||
      die "The Swift build of $product failed; its messages are above."
  done
}

# Installs the Python tools of Tests/requirements.txt in .build/python.
need_python() {
  need_python_tools Tests/requirements.txt
}

# Installs MkDocs in .build/mkdocs, apart from the tools of tests, and sets its path for
# Tools/docs.sh.
need_mkdocs() {
  need_python_tools docs/requirements.txt .build/mkdocs
  export MKDOCS=.build/mkdocs/bin/mkdocs
}

# Provides the page, three browsers and their drivers.
need_browsers() {
  need_demo
  need_python
  need_program "${CHROMIUM:-chromium}" chromium
  need_program firefox-esr firefox-esr
  need_program WebKitWebDriver webkit2gtk-driver
  need_program Xvfb xvfb # the display that WebKit needs
}

main "$@"
