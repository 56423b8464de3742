# Apps that depend on this package. `./build.sh new DIR` writes one; `./build.sh --package DIR VERB`
# builds, serves, runs, tests and measures it. Output goes to DIR/.build/wasm-sharing, the files of
# the page to DIR/web.

app_help() {
  cat <<'TEXT'
./build.sh --package DIR [--product NAME] VERB
swift run wasm [--product NAME] VERB            the same, in the folder of the app
  build                   web/NAME.wasm, and the JavaScript beside it that the page loads
  serve [--release] [--host HOST] [PORT]
                          the page at http://localhost:8080, which follows changes of the sources; the
                          program is not optimized, or is with --release
  deploy DIR [--check]    the app for a static host, in DIR; --check opens that in a browser
  household DIR PAGE [SERVER]
                          a NATS server for the devices of a household, in DIR, and its address for them
  scripts [FOLDER]        the JavaScript for a page whose own loader runs the program, in FOLDER (web),
                          and the lines for that page
  run [--dir DIR] WORD…   the same program on the command line; its state is in DIR (.sharing)
  test                    the app's own tests, natively
  size                    what a browser loads
  toolset                 where the toolset lies with which `swift build` makes programs for a page
  help                    this list; VERB --help shows the lines of a verb
NAME is an executable of the package, and may be left out where there is only one. Words after `--` of
`build`, `serve`, `deploy` and `size` are options of `swift build`, as in: build -- -Xcc -DTRACE
TEXT
}

# app_main DIR [--product NAME] [VERB] …
app_main() {
  [ -n "${1:-}" ] || usage_error "--package needs a folder. $(app_help)"
  case ${2:-} in
    help | -h | --help) app_help; return ;;
  esac
  app=$(cd "$(from_caller "$1")" 2>/dev/null && pwd) || die "There is no folder '$1'."
  [ -f "$app/Package.swift" ] ||
    die "$1 is not a package: it has no Package.swift. To write an app: ./build.sh new DIR"
  product=
  shift
  if [ "${1:-}" = --product ]; then
    product=${2:-}
    [ -n "$product" ] || usage_error "--product needs a name. $(app_help)"
    shift 2
  fi
  local verb=${1:-help}
  [ $# -eq 0 ] || shift
  ! asks_for_help "$verb" "$@" || { verb_usage "$verb" app_help; return; }
  BUILD=$app/.build/wasm-sharing
  [[ $verb != @(build|serve|rebuild|deploy|size) ]] || take_options "$@"
  [ ${#build_options[@]} -eq 0 ] || set -- "${@:1:$# - ${#build_options[@]} - 1}"
  case $verb in
    serve | rebuild | deploy | household | run | scripts) "app_$verb" "$@" ;;
    build | test | size | toolset | help)
      [ $# -eq 0 ] || usage_error "$verb takes no argument, got: $*"
      "app_$verb"
      ;;
    *) usage_error "There is no verb '$verb'. $(app_help)" ;;
  esac
}

build_options=() # of `swift build`

# take_options WORD…: sets build_options to the words after the first `--`.
take_options() {
  while [ $# -gt 0 ] && [ "$1" != -- ]; do shift; done
  [ $# -eq 0 ] || build_options=("${@:2}")
  [ "${1:-}" != -- ] || [ ${#build_options[@]} -gt 0 ] ||
    usage_error "There is no option behind --. For example: build -- -Xcc -DTRACE"
}

# MARK: Verbs

app_build() {
  local start=$SECONDS
  need_app
  say "built $app/web/$product.wasm: $(gzipped "$app/web/$product.wasm") bytes gzip," \
    "in $((SECONDS - start)) s"
}

app_scripts() {
  [ $# -le 1 ] || usage_error "scripts takes a folder, got: $*"
  local folder=$app/web
  [ $# -eq 0 ] || folder=$(from_caller "${1%/}")
  mkdir -p "$BUILD" "$folder" 2>/dev/null || die "The folder '$folder' could not be made."
  copy_scripts "$folder" "$folder" connect engines indexeddb
  say "wrote sharing.js and connect.js into $folder, and engines.js and indexeddb.js, which are loaded" \
    "for programs with .indexedDB. The lines for the page:"
  cat <<'TEXT'

import { connect } from "./sharing.js";

const sharing = await connect(window, { fail: (message) => console.error(message) });
// Instantiate the program with these imports beside others:
//   { ...sharing.imports, wasi_snapshot_preview1: sharing.wasi.wasiImport }
// Give the loader this in place of the instance:
const attached = sharing.attach(instance);
TEXT
}

app_run() {
  need_state_folder "$app/.sharing" "$@"
  shift "$taken"
  # Only the program writes to standard output; progress goes to standard error.
  need_app >&2
  grep '^wasmtime=' Tests/requirements.txt | update "$BUILD/requirements.txt"
  need_python_tools "$BUILD/requirements.txt" >&2
  "$BUILD/python/bin/python" Tools/headless.py --dir "$state" "$app/web/$product.wasm" "$@"
}

app_test() {
  need_swift
  (cd "$app" && swift test) # a test reads web/index.html
}

app_size() {
  need_app
  local file total=0
  for file in "$app/web/$product.wasm" "$app"/web/*.{html,css,js}; do
    [ -f "$file" ] || continue
    printf '%8d bytes gzip  %s\n' "$(gzipped "$file")" "${file##*/}"
    total=$((total + $(gzipped "$file")))
  done
  printf '%8d bytes gzip  all\n' "$total"
}

# Prints the path of a toolset for `swift build --triple wasm32-unknown-none-wasm --toolset PATH`.
app_toolset() {
  need_swift >&2
  need_wasi >&2
  write_flags
  printf '%s\n' "$BUILD/toolset.json"
}

# MARK: Building

# Builds the app's program and the JavaScript that it needs into its web folder.
need_app() {
  need_swift
  mkdir -p "$app/web"
  choose_product
  build_wasm "$product" "$app/web/$product.wasm" "$app" "$BUILD/wasm" "${program_options[@]}"
  copy_scripts "$app/web" "$app"
  need_start "$app/web/$product.wasm"
}

# Sets product, if it is not set, and program_options, the options of its build.
choose_product() {
  need_program python3 python3
  mkdir -p "$BUILD"
  local chosen words
  chosen=$(
    swift package --package-path "$app" --scratch-path "$BUILD/wasm" describe --type json \
      2>"$BUILD/describe.log" | tee "$BUILD/describe.json" | python3 Tools/executables.py "$product"
  ) || {
    grep -E 'error:' "$BUILD/describe.log" >&2 || true
    die "Nothing was built."
  }
  read -ra words <<<"$chosen"
  product=${words[0]}
  program_options=("${words[@]:1}" "${build_options[@]}")
}

# need_start PROGRAM: a program without SharingPage needs a loader that connects it.
need_start() {
  [ -f "$app/web/index.html" ] && [ -f "$1" ] && ! grep -qaF sharing_start "$1" || return 0
  grep -qaF sharing_abi_version "$1" ||
    die "No page can start $product: it depends neither on SharingPage nor on WasiStorage."
  calls_connect "$app/web" "$app" ||
    say "$product has no SharingPage: no script here calls connect of sharing.js for its loader."
}

# MARK: New apps

new_help() {
  cat <<'TEXT'
./build.sh new DIR [--from URL]
  writes one that uses this package, from here or from a git URL
TEXT
}

verb_new() {
  [ -n "${1:-}" ] || usage_error "new needs a folder: ./build.sh new DIR [--from URL]"
  local folder name url= dependency package
  folder=$(from_caller "${1%/}")
  shift
  if [ "${1:-}" = --from ]; then
    url=${2:-} url=${url%/}
    [ -n "$url" ] || usage_error "--from needs the URL of a git repository."
    shift 2
  fi
  [ $# -eq 0 ] || usage_error "new takes a folder, got also: $*"
  name=${folder##*/}
  [[ $name =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]] ||
    die "'$name' cannot name a Swift module: use letters, digits and _, and no digit first," \
      "such as $(suggested_name "$name")."
  case $name in
    Swift | Testing | XCTest | Observation | Foundation | Glibc | CHost | Sharing* | WasiStorage | \
      SmallLibc | WasmCommand | WasmDemo | WasmTool | wasm | StoredExpansion | RandomSteps | \
      SimulatedRevisions)
      die "'$name' is the name of another Swift module or program. Choose another one." ;;
    _ | Any | Self | as | associatedtype | break | case | catch | class | continue | default | defer | \
      deinit | do | else | enum | extension | fallthrough | false | fileprivate | for | func | guard | \
      if | import | in | init | inout | internal | is | let | nil | operator | precedencegroup | \
      private | protocol | public | repeat | rethrows | return | self | static | struct | subscript | \
      super | switch | throw | throws | true | try | typealias | var | where | while)
      die "'$name' is a keyword of Swift, which cannot name a module. Choose another name." ;;
  esac
  [ ! -e "$folder" ] || die "'$folder' exists, and nothing in it was changed. Name a new folder."
  if [ -n "$url" ]; then
    package=${url##*/} package=${package%.git}
    dependency=".package(url: $(swift_text "$url"), branch: \"main\")"
  else
    package=wasm-sharing
    dependency=".package(name: \"wasm-sharing\", path: $(swift_text "$PWD"))"
  fi
  mkdir -p "$folder" 2>/dev/null || die "'$folder' could not be made."
  write_app "$folder" "$name" "$dependency" "$package"
  say "wrote $folder. Next: cd $(printf %q "$folder") && swift run wasm serve"
}

# swift_text TEXT: prints the text as a literal of Swift.
swift_text() {
  printf '"%s"' "$(sed 's/[\\"]/\\&/g' <<<"$1")"
}

# write_app FOLDER NAME DEPENDENCY PACKAGE: copies Template and replaces MyApp by the name. Quoted
# replacements, since bash 5.2 replaces a `&` in others by the match.
write_app() {
  local file target text product
  product="package: $(swift_text "$4")"
  while IFS= read -r file; do
    target=$1/${file//MyApp/$2}
    target=${target/%gitignore/.gitignore}
    mkdir -p "${target%/*}"
    [[ $file != *.png ]] || { cp "Template/$file" "$target"; continue; }
    text=$(<"Template/$file")
    text=${text//MyApp/$2}
    text=${text//'.package(name: "wasm-sharing", path: "..")'/"$3"}
    text=${text//'package: "wasm-sharing"'/"$product"}
    printf '%s\n' "$text" >"$target"
  done < <(cd Template && find . -type f -not -path './.build/*' | sed 's,^\./,,' | sort)
}

# suggested_name TEXT: prints a similar name that is valid for a module.
suggested_name() {
  local word name=
  for word in ${1//[^A-Za-z0-9]/ }; do name+=${word^}; done
  while [[ $name == [0-9]* ]]; do name=${name#?}; done
  printf '%s\n' "${name:-MyApp}"
}
