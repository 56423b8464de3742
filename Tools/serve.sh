# Serving an app during work on it: Tools/serve.py responds to browsers, watches the files, and
# calls `rebuild` after each change. build.sh sources this file.

# app_serve [--release] [--host HOST] [PORT]
app_serve() {
  local host=127.0.0.1 release=()
  while [[ ${1:-} == --* ]]; do
    case $1 in
      --release) release=(--release) ;;
      --host)
        [ -n "${2:-}" ] || usage_error "--host needs an address, such as 0.0.0.0."
        host=$2
        shift
        ;;
      *) usage_error "serve has no option $1. It has: --release, --host." ;;
    esac
    shift
  done
  [ -f "$app/web/index.html" ] || die "$app/web/index.html is missing: there is no page to serve."
  need_port "$@"
  need_swift
  choose_product
  need_python_tools Tools/serve.txt "$BUILD/serve"
  [ ${#build_options[@]} -eq 0 ] || build_options=(-- "${build_options[@]}")
  exec "$BUILD/serve/bin/python" Tools/serve.py --host "$host" --port "$port" \
    --program "$BUILD/served/$product.wasm" --description "$BUILD/describe.json" "$app" \
    bash "$PWD/build.sh" --package "$app" --product "$product" rebuild "${release[@]}" {} \
    "${build_options[@]}"
}

# app_rebuild [--release] program|scripts: builds the program for `serve`, or copies the JavaScript
# for it. The program is not in the folder of the page, where it could be uploaded by mistake.
app_rebuild() {
  local start=$SECONDS quality=unoptimized
  served_program=$BUILD/served/$product.wasm
  [ "$1" != --release ] || { quality=optimized; shift; }
  mkdir -p "$BUILD/served" "$app/web"
  if [ "$1" = scripts ]; then
    copy_scripts "$app/web" "$app"
    need_start "$served_program"
    return
  fi
  need_swift
  choose_product
  if [ "$quality" = optimized ]; then
    build_wasm "$product" "$served_program" "$app" "$BUILD/wasm" "${program_options[@]}"
  else
    need_wasi
    compile toolset-debug.json "$product" "$app" "$BUILD/wasm-debug" "${program_options[@]}"
    update "$served_program" <"$BUILD/wasm-debug/$TRIPLE/release/$product.wasm"
  fi
  say "built $product, $quality, in $((SECONDS - start)) s"
}
