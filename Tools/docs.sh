#!/usr/bin/env bash
# Builds the site in .build/docs: README.md and the articles of docs by MkDocs (mkdocs.yml), and in
# api/ the doc comments of the library by docc. Adds the demo if it is built. Fails on every
# warning, and if the code of an article does not compile (Tools/check_docs.py). `docs.sh articles`
# builds the articles anew, with the API of the last build. `./build.sh serve --docs` builds and
# shows the site.
#
# Variables: MKDOCS (the path of mkdocs), DOCS_BASE (the path of the site on its server, such as
# /wasm-sharing; / by default), DOCS_SOURCE (the address of the repository; without it, the site
# does not link to one), DOCC_HTML_DIR (docc's own variable: the page templates, for a toolchain
# without them).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly OUTPUT=.build/docs
readonly BUILD=.build/docs-build # the API, its catalog and the symbol graphs
BASE=${DOCS_BASE:-/}
readonly BASE=${BASE%/}
readonly MODULES=(SharingCore SharingJSON WasiStorage SharingCommits SharingPage SharingTesting SharingTestDoubles SharingSimulation SharingNATS)

main() {
  case $* in
    '')
      check_articles
      build_api
      ;;
    articles) [ -d "$BUILD/api" ] || fail "There is no API yet: run docs.sh first." ;;
    *) fail "docs.sh takes 'articles' or nothing, got: $*" ;;
  esac
  build_articles
  echo "documented: $(find "$OUTPUT" -name index.html | wc -l) pages in $OUTPUT"
}

check_articles() {
  if [ -f .build/toolset-debug.json ]; then
    python3 Tools/check_docs.py --wasm
  else
    python3 Tools/check_docs.py
    echo "not compiled for WebAssembly: run ./build.sh first, which writes the compiler options"
  fi
}

# Writes the site without the API, and copies the API and the demo into it.
build_articles() {
  local new=$PWD/$OUTPUT.new
  # MkDocs-Material advertises another program of its authors.
  NO_MKDOCS_2_WARNING=1 "$MKDOCS" build --strict --site-dir "$new" ||
    fail "The articles have warnings or errors; they are above."
  cp -r "$BUILD/api" "$new"
  if [ -f web/demo.wasm ]; then
    cp -r web "$new/demo"
    rm -rf "$new/demo/dev"
  fi
  rm -rf "$OUTPUT"
  mv "$new" "$OUTPUT"
}

build_api() {
  local docc
  docc=$(find_docc)
  extract_graphs
  write_catalog
  convert "$docc"
}

# Prints the path of the toolchain's docc. It needs the page templates of the toolchain, too.
find_docc() {
  command -v swiftc >/dev/null ||
    fail "Swift is missing. Install Swift 6.3 from https://swift.org/install"
  local toolchain
  toolchain=$(target_info runtimeResourcePath)
  toolchain=${toolchain%/lib/swift}
  [ -x "$toolchain/bin/docc" ] ||
    fail "There is no docc in $toolchain/bin. Use a toolchain from https://swift.org/install"
  [ -f "${DOCC_HTML_DIR:-$toolchain/share/docc/render}/index-template.html" ] ||
    fail "This toolchain's docc has no page templates (share/docc/render). Let DOCC_HTML_DIR name a" \
      "folder that has them, as in https://github.com/swiftlang/swift-docc-render-artifact"
  echo "$toolchain/bin/docc"
}

# target_info NAME: prints a field of the compiler's target information.
target_info() { swiftc -print-target-info | sed -nE "s/.*\"$1\": \"([^\"]*)\".*/\\1/p"; }

# Writes the declarations of the modules and their doc comments as symbol graphs.
extract_graphs() {
  local module folder bin=.build/debug triple
  triple=$(target_info unversionedTriple)
  folder=$BUILD/graphs
  rm -rf "$folder"
  mkdir -p "$folder"
  for module in "${MODULES[@]}"; do
    swift symbolgraph-extract -module-name "$module" -target "$triple" -output-dir "$folder" \
      -I "$bin/Modules" -I "$bin/CHost.build" -I "$bin/WasmCommand.build" \
      -minimum-access-level public -skip-synthesized-members -emit-extension-block-symbols ||
      fail "The symbols of $module could not be read; its messages are above."
  done
  python3 Tools/hide_places.py "$folder"
}

# Writes the first page of the API, which makes one site of all modules, and its link to the
# articles.
write_catalog() {
  local catalog=$BUILD/API.docc
  rm -rf "$catalog"
  mkdir -p "$catalog"
  {
    printf '# wasm-sharing\n\nThe API of each module.\n\n@Metadata {\n  @TechnologyRoot\n}\n\n'
    printf '## Topics\n\n### Modules\n\n'
    printf -- '- ``%s``\n' "${MODULES[@]}"
  } >"$catalog/wasm-sharing.md"
  printf '<nav aria-label="Site"><a href="%s/">Articles</a></nav>\n' "$BASE" >"$catalog/header.html"
  echo '{}' >"$catalog/theme-settings.json" # docc's pages load it
}

convert() {
  "$1" convert "$BUILD/API.docc" --additional-symbol-graph-dir "$BUILD/graphs" \
    --output-path "$BUILD/api" --warnings-as-errors --transform-for-static-hosting \
    --hosting-base-path "$BASE/api" --experimental-enable-custom-templates \
    --fallback-display-name wasm-sharing --fallback-bundle-identifier wasm-sharing ||
    fail "The documentation has warnings or errors; they are above."
}

fail() {
  echo "docs.sh: $*" >&2
  exit 1
}

main "$@"
