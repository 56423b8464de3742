# Tests: the suites, the two tiers that consist of their parts, and `soak`. build.sh sources this
# file.
#
# Each part runs in its own subshell, so that an aborting part ends alone. A part fails if its last
# command fails. `set -e` is off in it, so each step checks for failure.

readonly SUITES=(native wasm js browser nats)
readonly SOAK_PARTS=(sanitize walks page_walks engines kills mutate fuzz bench)

# MARK: Verbs

verb_test() {
  local suite
  [ $# -gt 0 ] || set -- quick
  case "$*" in
    quick) begin_run && quick_tier ;;
    all) begin_run && full_tier ;;
    *)
      for suite in "$@"; do
        is_one_of "$suite" "${SUITES[@]}" ||
          usage_error "There is no suite '$suite'. There are: $(list "${SUITES[@]}")." \
            "'./build.sh test' runs the quick tests, './build.sh test all' the others."
      done
      begin_run
      for suite in "$@"; do
        if [ "$suite" = browser ]; then
          part browser test_browser --every-engine || true
        else
          part "$suite" "test_$suite" || true
        fi
      done
      ;;
  esac
  end_run
}

verb_soak() {
  local name
  [ $# -gt 0 ] || set -- "${SOAK_PARTS[@]}"
  for name in "$@"; do
    is_one_of "$name" "${SOAK_PARTS[@]}" ||
      usage_error "soak has no part '$name'. It has: $(list "${SOAK_PARTS[@]}")."
  done
  begin_run
  for name in "$@"; do part "$name" "soak_$name" || true; done
  end_run
}

# list WORD…: prints the words, separated by commas.
list() {
  local words
  printf -v words '%s, ' "$@"
  printf '%s\n' "${words%, }"
}

# MARK: Tiers

quick_tier() {
  rm -rf "$PASSED"
  quick_parts
  say "left to './build.sh test all': the other hosts and engines, the extras (NATS, simulation)," \
    "sizes, documentation, API, examples, new apps, the other tests of the page;" \
    "to './build.sh soak': $(list "${SOAK_PARTS[@]}")"
}

# The tests before each merge: the quick tests, unless they have passed with the same sources, and
# all others except those of `soak`.
full_tier() {
  quick_parts
  install_missing wasm-opt:binaryen firefox-esr:firefox-esr WebKitWebDriver:webkit2gtk-driver \
    Xvfb:xvfb openssl:openssl ps:procps
  # Three sequences at once: two of builds, with one core each, and NATS, whose tests mostly wait.
  wasm_parts &
  nats_parts &
  native_parts
  wait
  part "NATS: pages" test_nats_pages & # mostly waits
  part wasm test_wasm || true
  wait
  part browser test_browser || true
  part "rules by host" show_rules || true
  say "left to './build.sh soak': $(list "${SOAK_PARTS[@]}")"
}

# Wasm builds, and the sizes of programs. They share .build/wasm, which one build at a time can use.
wasm_parts() {
  local program
  for program in demo keys releases controls presence suite examples guides; do
    part "build: $program" "need_$program" || true
  done
  part size verb_size || true
}

# An app in a folder of its own, and native builds, which share .build.
native_parts() {
  part "build: app" need_app_programs || true
  part simulation test_simulation || true
  part documentation verb_docs || true
  part API verb_api || true
  part "official SDK, read" read_for_official_sdk || true
  part examples test_examples || true
}

nats_parts() {
  part "NATS: script" test_nats_script || true
  part "NATS: programs" test_nats_programs || true
}

# Runs parts at once, so that no core is idle: two or three, which share two cores.
quick_parts() {
  install_missing python3:python3-venv esbuild:esbuild "${CHROMIUM:-chromium}:chromium"
  quick_part "build: native" build_native &
  quick_part "build: wasm, unoptimized" build_unoptimized WasmDemo ConformanceRunner &
  quick_part lint verb_lint
  wait
  quick_part native test_built_native &
  quick_part "portable cases under wasmtime" test_portable &
  quick_part shim test_shim_quickly
  quick_part "page in Chromium" test_page
  wait
}

# MARK: Runs and parts

# One file for each quick part that has passed, with the fingerprint of the tested sources.
readonly PASSED=.build/passed

# Begins a run. A clone allows one at a time, since all runs build in the same folders.
begin_run() {
  local other
  mkdir -p .build
  if ! (set -o noclobber && echo $$ >.build/run.pid) 2>/dev/null; then
    other=$(<.build/run.pid)
    ! kill -0 "$other" 2>/dev/null ||
      die "Tests run in this clone already, as process $other." \
        "Wait for their end, or use another clone."
    echo $$ >.build/run.pid
  fi
  trap 'rm -f .build/run.pid' EXIT
  RUN=.build/run
  rm -rf "$RUN"
  mkdir -p "$RUN"
  touch "$RUN/passed" "$RUN/failed" "$RUN/times"
  sources=$(fingerprint)
}

# Prints a hash of all files of this clone that git does not ignore; nothing without git.
fingerprint() {
  git rev-parse --git-dir >/dev/null 2>&1 || return 0
  git ls-files -z --cached --others --exclude-standard | xargs -0 sha1sum 2>/dev/null | sha1sum
}

# Prints the time of each part, the failed parts, and the number of passed tests.
end_run() {
  local passed failed
  passed=$(awk '{ sum += $1 } END { print sum + 0 }' "$RUN/passed")
  failed=$(awk 'END { print NR }' "$RUN/failed")
  say "where the time went:"
  cat "$RUN/times"
  printf '%6d s  in all\n' "$SECONDS"
  [ "$failed" -eq 0 ] || say "failed: $(paste -sd, "$RUN/failed")"
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}

# part NAME COMMAND…: runs a part. Records its time, and its name if it fails.
part() {
  local name=$1 start=$SECONDS status=0
  say "begins: $name"
  ("${@:2}") || status=$?
  printf '%6d s  %s\n' $((SECONDS - start)) "$name" >>"$RUN/times"
  [ "$status" -eq 0 ] || { echo "$name" >>"$RUN/failed"; say "failed: $name"; }
  return "$status"
}

# quick_part NAME COMMAND…: runs a part, unless it has passed with these sources.
quick_part() {
  local passed=$PASSED/${1// /-}
  if [ -n "$sources" ] && [ "$(cat "$passed" 2>/dev/null)" = "$sources" ]; then
    say "$1: passed before, with the same sources"
  elif part "$@"; then
    mkdir -p "$PASSED"
    echo "$sources" >"$passed"
  fi
}

# count NAME LOG SCRIPT: records the number of passed tests that a sed script finds in a log. Fails
# if the log has none.
count() {
  local number
  number=$(sed -nE "$3" "$2" | tail -n 1)
  [ "${number:-0}" -gt 0 ] || { say "$1: no test has passed; see $2"; return 1; }
  echo "$number" >>"$RUN/passed"
  say "$1: $number passed"
}

# MARK: Suites

test_native() { run_swift_test native && test_examples; }

test_js() { need_demo && test_shim; }

# The portable suite on every host without a page, and the programs on the command line.
test_wasm() {
  need_suite
  need_demo
  need_keys
  need_app_by_path
  need_python
  rm -f .build/conformance/{native,wasmtime,wasmkit,node}.log # of earlier runs
  # By default, the files with the fewest tests come last. One of them builds apps for minutes, on
  # one core.
  run_pytest wasm auto --no-loadscope-reorder Tests/command
}

# The page and the test programs, in three engines where these differ: see IN_EVERY_ENGINE of
# Tests/browser/conftest.py, and its option --every-engine.
test_browser() {
  prepare_browser_tests || return 1
  rm -f .build/conformance/{chromium,firefox,webkit}.log # of earlier runs
  run_pytest browser 3 "$@" Tests/browser
}

prepare_browser_tests() {
  need_suite
  need_keys
  need_releases
  need_controls
  need_loader_program
  need_guides
  need_app_programs
  need_examples
  # The API takes minutes, the articles seconds.
  if [ -d .build/docs-build/api ]; then need_mkdocs && bash Tools/docs.sh articles; else verb_docs; fi ||
    return 1
  need_browsers
}

# MARK: Parts of suites

read_for_official_sdk() {
  need_swift
  need_program python3 python3
  PYTHONDONTWRITEBYTECODE=1 python3 Tools/official_sdk.py
}

build_native() {
  need_swift
  swift build --build-tests >.build/build.log 2>&1 ||
    { grep -E 'error:' .build/build.log; say "the Swift build failed; all of it is in .build/build.log"; false; }
}

# The tests of the library, without those of its extras.
test_built_native() { run_swift_test native --skip SharingSimulationTests; }

test_simulation() { run_swift_test simulation --filter SharingSimulationTests; }

# explore RUNS: explores each setting of commits by a number of runs, in a release build.
explore() {
  need_swift
  local log=.build/exploration.log status=0
  swift build --configuration release --quiet --product CommitExplorer \
    --scratch-path .build/release-tests || return 1
  .build/release-tests/release/CommitExplorer "$1" >"$log" || status=$?
  grep -E '^(known|not ok):' "$log" || true
  [ "$status" -eq 0 ] || { say "the exploration failed; all of it is in $log"; return 1; }
  count exploration "$log" 's/^all: ([0-9]+) settings passed$/\1/p'
}

test_examples() {
  local example name
  for example in Examples/*; do
    [ -d "$example" ] || continue
    name=${example##*/}
    # With the scratch folder of this package, the library is not built again. The cached build plan
    # there is that of this package.
    run_swift_test "$name" --package-path "$example" --scratch-path .build \
      --disable-build-manifest-caching --filter "${name}Tests" || return 1
  done
}

# The shim without a server. The tests cover each of its lines.
test_shim() {
  need_scripts
  need_python
  local log=.build/shim.log
  rm -rf .build/coverage
  {
    NO_COLOR=1 "$PYTHON/deno" test --allow-read --allow-net=127.0.0.1 --allow-env=DEMO \
      --coverage=.build/coverage &&
      NO_COLOR=1 "$PYTHON/deno" coverage .build/coverage \
        --include='JavaScript/(sharing|connect)([.]js|/)' --threshold 100
  } >"$log" 2>&1 || { cat "$log"; return 1; }
  count shim "$log" 's/^ok \| ([0-9]+) passed .*/\1/p'
}

test_shim_quickly() { DEMO=$UNOPTIMIZED/WasmDemo.wasm test_shim; }

# Runs the portable cases in the program built by build_unoptimized.
test_portable() {
  need_python
  SUITE=$UNOPTIMIZED/ConformanceRunner.wasm run_pytest portable 2 -k wasmtime \
    Tests/command/test_conformance.py
}

# The main uses of the page and the portable cases, in the programs built by build_unoptimized.
test_page() {
  need_scripts
  need_python
  need_program "${CHROMIUM:-chromium}" chromium
  SUITE=$UNOPTIMIZED/ConformanceRunner.wasm run_pytest page 2 --engine chromium \
    --program "$UNOPTIMIZED/WasmDemo.wasm" -m first Tests/browser
}

show_rules() {
  need_python
  "$PYTHON/python" Tests/rules.py
}

# run_swift_test NAME OPTION…
run_swift_test() {
  need_swift
  local log=.build/$1.log status=0
  mkdir -p .build
  swift test "${@:2}" >"$log" 2>&1 || status=$?
  grep -E 'error:|^✘| Test run with ' "$log" || true
  [ "$status" -eq 0 ] || { say "swift test failed; all of it is in $log"; return 1; }
  # Counts the XCTest tests too; a filter excludes them.
  [[ " $* " = *" --filter "* ]] ||
    count "$1" "$log" 's/.*Executed ([0-9]+) tests, with 0 failures.*/\1/p' || return 1
  count "$1" "$log" 's/.*Test run with ([0-9]+) tests? .*passed.*/\1/p'
}

# run_pytest NAME PROCESSES OPTION…: a test that hangs, such as one whose browser does not start,
# fails after ten minutes. FIXTURES is the folder whose conftest.py tests of another folder use.
run_pytest() {
  local log=.build/$1.log status=0 path=Tests plugins=(-p rules)
  [ -z "${FIXTURES:-}" ] || path=$path:$FIXTURES plugins+=(-p conftest)
  PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$path "$PYTHON/python" -m pytest -q -rsR -p no:cacheprovider \
    "${plugins[@]}" --reruns 1 --only-rerun InvalidSessionIdException --timeout 600 --durations 15 \
    --numprocesses "$2" --dist loadfile "${@:3}" >"$log" 2>&1 || status=$?
  [ "$status" -eq 0 ] || { cat "$log"; return 1; }
  sed -nE 's/^SKIPPED \[([0-9]+)\] [^ ]+ /left out \1: /p; s/^RERUN /failed once, and was repeated: /p' "$log"
  count "$1" "$log" 's/^([0-9]+) passed.*/\1/p'
}

# MARK: Parts of soak

# The native tests under the thread sanitizer, without the codec's single-threaded tests; and the
# tests with threads under the address sanitizer.
soak_sanitize() {
  run_swift_test sanitize --sanitize=thread -Xswiftc -DTHREAD_SANITIZER \
    --scratch-path .build/sanitize --skip JSON || return 1
  ! grep -A 20 'WARNING: ThreadSanitizer' .build/sanitize.log || return 1
  # LeakTests detects leaks instead.
  ASAN_OPTIONS=detect_leaks=0 run_swift_test address --sanitize=address \
    --scratch-path .build/address --filter 'Thread|Race|Stress'
}

# Walks of the library and of threads, and schedules of tabs, with many more seeds than in the
# suites above. The native runs use a release build, which executes more of them per minute.
soak_walks() {
  need_suite
  need_demo
  need_python
  run_pytest walks auto --dist load --walks 400 -k test_random_use Tests/command || return 1
  SHARING_TIMES=20 run_swift_test threads --configuration release --scratch-path .build/release-tests \
    --filter ThreadWalkTests || return 1
  SHARING_TIMES=50 run_swift_test schedules --configuration release \
    --scratch-path .build/release-tests \
    --filter 'CommitScheduleTests|CommitThreadTests|SimulationTests|CommitTests|ReleaseTests' || return 1
  explore 60000
}

# Walks of the page, more than in the suite.
soak_page_walks() {
  need_browsers
  run_pytest page_walks 3 -k test_walk --walks 9 --soak Tests/browser
}

# All tests of the page in the two engines in which `test all` runs only a part of them, and axe in
# all articles.
soak_engines() {
  prepare_browser_tests || return 1
  run_pytest engines 3 --engine firefox --engine webkit Tests/browser || return 1
  run_pytest axe 3 --soak -k axe_finds_nothing_in_a_page Tests/browser || return 1
  test_nats_pages --engine firefox --engine webkit
}

# Killed writers and racing tabs, many more than in the suites.
soak_kills() {
  need_suite
  need_demo
  need_python
  run_pytest kills auto --dist load --kills 80 -k test_crash Tests/command || return 1
  need_browsers
  run_pytest races 3 --runs 10 --every-engine --soak \
    -k "same_moment or while_another_one_adds or while_leaders" Tests/browser
}

soak_mutate() { verb_mutate --seconds 300 --seed "$((10#$(date +%j)))"; }

soak_fuzz() { verb_fuzz 30; }

# A count of instructions that is too large fails; a missed time budget does not.
soak_bench() { verb_instructions && verb_bench --quick; }
