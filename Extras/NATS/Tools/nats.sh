# Serves the page together with NATS servers, through which its programs share values; tests and
# measures that. build.sh sources this file.

# serve_with_nats [NODES] [PORT]: serves both until interrupted.
serve_with_nats() {
  local nodes=1
  # A one-digit number is the number of servers, not a port.
  if [ $# -gt 0 ] && ! [[ $1 =~ ^[0-9]{2,}$ ]]; then
    nodes=$1
    shift
  fi
  [[ $nodes == [13] ]] ||
    usage_error "'$nodes' is not a number of servers: use 1, or 3 for a cluster."
  need_port "$@"
  need_nats "$nodes"
  verb_build
  need_presence
  exec env PYTHONDONTWRITEBYTECODE=1 \
    python3 Extras/NATS/Tools/nats_page.py web "$port" "$nodes" "$nats_port" "$BUILD/nats"
}

# app_household DIR PAGE [SERVER]: writes a server for the devices of a household.
app_household() {
  [[ $# == @(2|3) ]] || usage_error "household takes a folder, the address of the page, and, if that" \
    "begins with https:, the name of the server's machine."
  local folder
  folder=$(realpath -m "$(from_caller "${1%/}")")
  [[ $folder/ != "$(realpath -m "$app/web")"/* ]] || die "$folder is in the folder of the page. Name one outside of it."
  need_nats 1
  mkdir -p "$BUILD"
  need_deploy_tools segno
  "$BUILD/segno/bin/python" -B Extras/NATS/Tools/household.py "$folder" "$2" "$nats_port" "${@:3}"
}

# need_nats NODES: finds or downloads nats-server. Sets nats_port, the first of two or nine ports.
need_nats() {
  local number count=2
  [ "$1" -eq 1 ] || count=9
  nats_port=${NATS_PORT:-4223}
  { [[ $nats_port =~ ^[1-9][0-9]{0,4}$ ]] && [ "$nats_port" -le 65527 ]; } ||
    usage_error "NATS_PORT=$nats_port is not a port: give a number from 1 to 65527."
  for ((number = nats_port; number < nats_port + count; number++)); do
    python3 Tools/ports.py "$number" || die "Choose other ports: NATS_PORT is the first of $count."
  done
  python3 -B Extras/NATS/Tools/nats_program.py "$1" || exit 1
}

# Prints the path of nats-server; downloads the program if necessary.
nats_server() {
  PYTHONPATH=Extras/NATS/Tools python3 -B -c 'import nats_program; print(nats_program.find(3))'
}

# Builds web/presence.wasm, which the page loads if it has a NATS server.
need_presence() {
  once presence build_wasm WasmPresence web/presence.wasm
}

# Builds the app of the article about a household.
need_household() {
  once household build_household
}

build_household() {
  local folder=.build/household/Shopping
  rm -rf .build/household
  mkdir -p .build/household
  verb_new "$PWD/$folder" && python3 -B Extras/NATS/Tests/household_app.py "$folder" &&
    build_wasm Shopping "$folder/web/Shopping.wasm" "$folder" .build/wasm &&
    copy_scripts "$folder/web" "$folder" || die "The app of the article about a household cannot be built."
}

# Builds the native program that counts in a NATS server.
need_nats_program() {
  need_swift
  once nats-program swift build --product NATSProgram --quiet ||
    die "The Swift build of NATSProgram failed; its messages are above."
}

# MARK: Tests and benchmarks

test_nats() { test_nats_script && test_nats_programs && test_nats_pages; }

# The engine of pages, alone.
test_nats_script() {
  need_python
  local log=.build/nats-script.log
  NATS_SERVER=$(nats_server) || return 1
  export NATS_SERVER
  NO_COLOR=1 "$PYTHON/deno" test --allow-net=127.0.0.1 --allow-run --allow-read --allow-write \
    --allow-env Extras/NATS/Tests/script >"$log" 2>&1 || { cat "$log"; return 1; }
  count "NATS: script" "$log" 's/^ok \| ([0-9]+) passed .*/\1/p'
}

# Native programs, the servers' permissions, and `serve --nats`.
test_nats_programs() {
  need_nats_program
  need_python
  need_program openssl openssl # test_nats_tokens.py
  FIXTURES=Tests/command run_pytest nats-programs auto Extras/NATS/Tests/command
}

# test_nats_pages OPTION…
test_nats_pages() {
  need_nats_program
  need_presence
  need_household
  need_keys
  need_releases
  need_browsers
  FIXTURES=Tests/browser run_pytest nats-pages 3 "$@" Extras/NATS/Tests/browser
}

# bench_nats SECONDS OPTION…: measures the NATS engine against scripts written by hand. With a
# number of seconds, runs writers for that time instead.
bench_nats() {
  local script=Extras/NATS/Benchmarks/bench.js
  if [ -n "$1" ]; then
    script=Extras/NATS/Benchmarks/soak.js
    need_demo
    need_presence
    need_program "${CHROMIUM:-chromium}" chromium
  fi
  need_program ps procps
  NATS_SERVER=$(nats_server) || exit 1
  export NATS_SERVER
  "$PYTHON/deno" run --allow-net=127.0.0.1 --allow-run --allow-read --allow-write --allow-env \
    "$script" "${@:2}" ${1:+--seconds "$1"}
}
