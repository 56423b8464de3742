# Builds a package for wasm with the stock toolchain, for this package and for apps that depend on
# it. The current folder is the folder of this package.

readonly TRIPLE=wasm32-unknown-none-wasm
readonly MODULES=(JavaScript/*.js Extras/*/JavaScript/*.js) # what pages may import

# MARK: Building

# build_wasm PRODUCT OUTPUT [PACKAGE [FOLDER [OPTION…]]]: builds a product of a package (by default,
# this one) for wasm in a folder, and writes the optimized file to OUTPUT. In a suite `set -e` is
# off, so each step checks for failure.
build_wasm() {
  local product=$1 output=$2 package=${3:-.}
  local build=${4:-$package/.build/wasm}
  need_swift
  need_wasi
  need_program wasm-opt binaryen
  compile toolset.json "$product" "$package" "$build" "${@:5}"
  optimize "$build/$TRIPLE/release/$product.wasm" "$build/$product.wasm"
  cmp -s "$build/$product.wasm" "$output" || cp "$build/$product.wasm" "$output" ||
    die "$output could not be written."
}

# compile TOOLSET PRODUCT PACKAGE FOLDER OPTION…: builds a product with a toolset of write_flags.
compile() {
  local product=$2 build=$4
  write_flags
  mkdir -p "$build"
  release_build --triple "$TRIPLE" --toolset "$BUILD/$1" --package-path "$3" \
    --scratch-path "$build" --product "$product" "${@:5}" 2>&1 | tee "$build/swift.log" || {
    ! grep -qE 'undefined symbol: (main|__main_argc_argv)$' "$build/swift.log" ||
      die "$product has no entry point. Write @main before the type that is a PageApp."
    die "The Swift build of $product failed; its messages are above."
  }
}

# optimize FILE OUTPUT: optimizes a wasm file, unless the output is newer. Replaces the output
# atomically, since two runs of this script may overlap.
optimize() {
  [ ! "$2" -nt "$1" ] || [ ! "$2" -nt "$BUILD/wasm-opt.flags" ] || return 0
  wasm-opt "${wasm_opt_flags[@]}" "$1" --output "$2.$$" ||
    die "wasm-opt could not optimize ${1##*/}; its messages are above."
  mv "$2.$$" "$2" || die "$2 could not be written."
}

# SwiftPM's cached build plan misses new files in a package that is a dependency by path, so the
# plan is recomputed for each build.
release_build() {
  swift build --configuration release --quiet --disable-build-manifest-caching "$@"
}

# Reads Tools/flags.sh and writes SwiftPM's part as two toolsets: toolset.json for releases, and
# toolset-debug.json for fast builds. Leaves an unchanged file alone, since SwiftPM would otherwise
# rebuild everything.
write_flags() {
  local swift_flags=() release_flags=() c_flags=() linker_flags=() resources
  wasm_opt_flags=()
  resources=$(swift_resources)
  for_swift() { is_without for_swift "$@" || swift_flags+=("$@"); }
  for_release() { is_without for_release "$@" || release_flags+=("$@"); }
  for_c() { is_without for_c "$@" || c_flags+=("$@"); }
  for_linker() { is_without for_linker "$@" || linker_flags+=("$@"); }
  for_wasm_opt() { is_without for_wasm_opt "$@" || wasm_opt_flags+=("$@"); }
  . Tools/flags.sh
  mkdir -p "$BUILD"
  print_toolset "${swift_flags[@]}" "${release_flags[@]}" | update "$BUILD/toolset.json" || exit 1
  print_toolset "${swift_flags[@]}" -Onone | update "$BUILD/toolset-debug.json" || exit 1
  printf '%s\n' "${wasm_opt_flags[@]}" | update "$BUILD/wasm-opt.flags" || exit 1
}

# Returns whether WITHOUT is this line of Tools/flags.sh.
is_without() { [ "$*" = "${WITHOUT:-}" ]; }

# print_toolset FLAG…: prints a toolset with these flags for Swift and the other flags of
# write_flags.
print_toolset() {
  printf '{ "schemaVersion": "1.0"'
  toolset_part swiftCompiler "$@"
  toolset_part cCompiler "${c_flags[@]}"
  toolset_part linker "${linker_flags[@]}"
  printf ' }\n'
}

# toolset_part TOOL FLAG…
toolset_part() {
  local flags
  [ $# -gt 1 ] || return 0
  flags=$(printf ', "%s"' "${@:2}")
  printf ',\n  "%s": { "extraCLIOptions": [%s] }' "$1" "${flags#, }"
}

# update FILE: writes standard input to a file, unless the contents are the same.
update() {
  cat >"$1.$$" || die "$1 could not be written."
  if cmp -s "$1.$$" "$1"; then
    rm "$1.$$"
  else
    mv "$1.$$" "$1"
  fi
}

# copy_scripts FOLDER [ROOT [NAME…]]: copies the minified modules that a page loads into its folder:
# the files of JavaScript/, each bundled with its parts, as sharing.js with those in sharing/. They
# are of this version, so their ABI matches the program's. FOLDER/dev gets their source maps for
# debuggers and their types for editors; no page needs it. ROOT is the folder with the files that
# may import them, by default FOLDER. Modules of the NAMEs are copied in any case. Replaces and
# removes only files from an earlier build.
copy_scripts() {
  local module script types name loaded=' ' made=$BUILD/scripts.$$
  need_program esbuild esbuild
  for module in "${MODULES[@]}"; do
    name=${module##*/} name=${name%.js}
    ! is_from_version_before_dev "$name" "$1" || rm -f "$1/$name".{js,js.map,d.ts}
  done
  for module in "${MODULES[@]}"; do
    name=${module##*/} name=${name%.js}
    is_one_of "$name" "${@:3}" || is_loaded "$name" "$1" "${2:-$1}" || continue
    [ ! -e "$1/$name.js" ] || is_from_build "$name" "$1" ||
      die "$1/$name.js is not from a build, but it has the name of a module that the page loads." \
        "Rename your file, and build again."
    loaded+="$name "
  done
  # sharing.js loads these modules only for some programs, so they stay files of their own.
  esbuild "${MODULES[@]}" --bundle --external:'*/'{connect,engines,indexeddb}.js --format=esm \
    --minify --sourcemap --outdir="$made" --entry-names='[name]' --log-level=warning ||
    die "esbuild could not bundle ${MODULES[*]}; its messages are above."
  mkdir -p "$1/dev"
  for module in "${MODULES[@]}"; do
    name=${module##*/} name=${name%.js} script=$made/$name.js types=${module%.js}.d.ts
    if [[ $loaded == *" $name "* ]]; then
      sed "s,^//# sourceMappingURL=,&dev/," "$script" | update "$1/$name.js"
      update "$1/dev/$name.js.map" <"$script.map"
      # Types of an extra import those of the product, which are beside them there.
      [ ! -f "$types" ] || sed 's,"[./]*/JavaScript/,"./,' "$types" | update "$1/dev/$name.d.ts"
    else
      rm -f "$1/dev/$name".{js.map,d.ts}
      ! is_from_build "$name" "$1" || rm "$1/$name.js"
    fi
  done
  rm -r "$made"
}

is_one_of() { [[ " ${*:2} " == *" $1 "* ]]; }

# is_from_build NAME FOLDER: returns whether a build has written NAME.js in the folder.
is_from_build() {
  grep -q "^//# sourceMappingURL=dev/$1\.js\.map" "$2/$1.js" 2>/dev/null
}

# is_from_version_before_dev NAME FOLDER: returns whether a build has written NAME.js in a version
# that put source maps beside it. Other compilers name their maps alike, so the map has to tell.
is_from_version_before_dev() {
  grep -q "^//# sourceMappingURL=$1\.js\.map" "$2/$1.js" 2>/dev/null &&
    grep -qF "JavaScript/$1.js\"" "$2/$1.js.map" 2>/dev/null
}

# is_loaded NAME FOLDER ROOT: returns whether the page in a folder loads a module of the product:
# one of its own files names it, or `start` loads it for a program there.
is_loaded() {
  case $1 in
    sharing) return 0 ;;
    connect) ! calls_connect "$2" "$3" || return 0 ;;
    engines) ! imports_function engine_send "$2" || return 0 ;;
    indexeddb) ! imports_function engine_indexeddb "$2" || return 0 ;;
  esac
  [ -n "$(own_files "$2" "$3" -exec grep -lwF "$1.js" {} +)" ]
}

# calls_connect FOLDER ROOT: returns whether a page or a script has the name `connect`. The word
# `connect-src` of a Content Security Policy is another one.
calls_connect() {
  local other='[^-[:alnum:]_]'
  [ -n "$(own_files "$1" "$2" -exec grep -lE "(^|$other)connect($other|\$)" {} +)" ]
}

# imports_function NAME FOLDER: returns whether a program in a folder, or the one that `serve` sends
# for that folder, imports a page function.
imports_function() {
  local program
  for program in "$2"/*.wasm "${served_program:-}"; do
    [ ! -f "$program" ] || ! grep -qaF "$1" "$program" || return 0
  done
  return 1
}

# own_files FOLDER ROOT ACTION…: runs `find` with an action on the pages and scripts below ROOT,
# without the modules of the product in FOLDER.
own_files() {
  local module modules=()
  for module in "${MODULES[@]}"; do modules+=(! -path "$1/${module##*/}"); done
  find "$2" -mindepth 1 \( -name '.?*' -o -name node_modules -o -path "$1/dev" \) -prune -o -type f \
    \( -name '*.html' -o -name '*.[jt]s' -o -name '*.[cm][jt]s' -o -name '*.[jt]sx' \) \
    "${modules[@]}" "${@:3}"
}

# MARK: Serving and running

# need_port [PORT]: sets port, by default 8080, which must be free at host.
need_port() {
  [ $# -le 1 ] || usage_error "serve takes a port, got: $*"
  port=${1-8080}
  { [[ $port =~ ^[0-9]{1,5}$ ]] && [ "$port" -ge 1 ] && [ "$port" -le 65535 ]; } ||
    usage_error "'$port' is not a port: give a number from 1 to 65535."
  need_program python3 python3
  python3 Tools/ports.py "$port" "${host:-127.0.0.1}" || die "Choose another port: serve PORT"
}

# serve_folder FOLDER: serves it at the port until interrupted.
serve_folder() {
  say "open http://localhost:$port (Ctrl-C ends)"
  exec python3 -m http.server --bind 127.0.0.1 --directory "$1" "$port"
}

# need_state_folder DEFAULT [--dir DIR] …: sets state, the folder for the program's files, and
# taken, the number of words that named it.
need_state_folder() {
  state=$1 taken=0
  if [ "${2:-}" = --dir ]; then
    [ -n "${3:-}" ] || usage_error "--dir needs a folder."
    state=$(from_caller "$3") taken=2
  fi
  { mkdir -p "$state" 2>/dev/null && [ -w "$state" ]; } ||
    die "The folder '$state' cannot be written to. Choose another: run --dir DIR …"
}

# from_caller PATH: prints the path, relative to the folder of the caller.
from_caller() {
  case $1 in
    /*) printf '%s\n' "$1" ;;
    *) printf '%s\n' "$CALLER/$1" ;;
  esac
}

# MARK: Dependencies

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

# Finds the C library for wasm, or installs it; see find_wasi.
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

# Sets wasi_headers, wasi_libraries and wasi_builtins, or, if they are missing, wasi_missing.
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

# need_python_tools FILE [FOLDER]: installs the packages of a requirements file in a folder, by
# default $BUILD/python.
need_python_tools() {
  local python=${2:-$BUILD/python}
  cmp -s "$1" "$python/requirements.txt" 2>/dev/null && return
  say "installing Python tools into $python: $(tr '\n' ' ' <"$1")"
  command -v python3 >/dev/null || install_packages "Python" python3 python3-venv
  rm -rf "$python"
  python3 -m venv "$python" 2>/dev/null || {
    install_packages "Python's venv" python3-venv
    python3 -m venv "$python"
  }
  "$python/bin/python" -m pip install --quiet --disable-pip-version-check -r "$1" ||
    die "pip could not install $1; its messages are above."
  cp "$1" "$python/requirements.txt"
}

# need_program PROGRAM PACKAGE
need_program() {
  command -v "$1" >/dev/null || install_packages "$1" "$2"
}

# install_missing PROGRAM:PACKAGE…: installs the packages of missing programs and the C library for
# wasm in one step, if that is permitted. Otherwise each verb reports its missing programs.
install_missing() {
  local pair packages=()
  { [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; } || return 0
  for pair in "$@"; do
    command -v "${pair%%:*}" >/dev/null || packages+=("${pair##*:}")
  done
  find_wasi || [ -n "${WASI_SYSROOT:-}" ] || packages+=(wasi-libc libclang-rt-dev-wasm32)
  [ ${#packages[@]} -eq 0 ] || install_packages "what the tests need" "${packages[@]}"
}

# install_packages WHAT PACKAGE…
install_packages() {
  local what=$1 command="apt-get install --no-install-recommends ${*:2}"
  shift
  command -v apt-get >/dev/null || die "Missing: $what. $(without_apt "$@")"
  [ "$(id -u)" -eq 0 ] || die "Missing: $what. Install it: sudo $command"
  say "installing $what: $*"
  local log=$BUILD/apt.log
  mkdir -p "$BUILD"
  { apt-get update && apt-get install --yes --no-install-recommends "$@"; } >"$log" 2>&1 ||
    die "Could not install $what ($command); see $log"
}

# without_apt PACKAGE…: what to do for Debian packages where there is no apt-get, as on a Mac.
without_apt() {
  local package formulas=() others=()
  for package in "$@"; do
    case $package in
      binaryen | esbuild) formulas+=("$package") ;;
      python3*) formulas+=(python) ;;
      openssl) formulas+=(openssl@3) ;;
      wasi-libc | libclang-rt-dev-wasm32) ;;
      *) others+=("$package") ;;
    esac
  done
  [ ${#formulas[@]} -eq 0 ] || printf 'With Homebrew: brew install %s. ' "${formulas[*]}"
  [[ " $* " != *" wasi-libc "* ]] ||
    printf '%s' "Unpack a wasi-sdk (https://github.com/WebAssembly/wasi-sdk/releases), and let" \
      " WASI_SYSROOT name its share/wasi-sysroot. "
  [ ${#others[@]} -eq 0 ] || printf 'The tests need Debian for: %s. ' "${others[*]}"
}

gzipped() {
  gzip --best --no-name --stdout "$1" | wc -c
}

# MARK: Help

# asks_for_help VERB WORD…: returns whether -h or --help is one of the words. After the first word,
# those of `run` are for the program.
asks_for_help() {
  local word
  [ "$1" != run ] || set -- "${@:1:2}"
  for word in "${@:2}"; do
    [[ $word != @(-h|--help) ]] || return 0
  done
  return 1
}

# verb_usage VERB HELP: prints the lines of a verb in the text that the function HELP prints: each
# line that begins with the verb, and the lines indented below it.
verb_usage() {
  local usage
  usage=$("$2" | awk -v verb="$1" '
    /^ ? ?[^ ]/ { is_shown = /^  / && $1 == verb }
    is_shown')
  [ -n "$usage" ] || usage_error "There is no verb '$1'. $("$2")"
  printf '%s\n' "$usage"
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
